import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerOf, type CallerAncestor } from '../../../src/runs/caller.ts';

/** `bash@pts/3`: nearest first; pids count up from 100. */
const chain = (...names: string[]): CallerAncestor[] =>
  names.map((text, index) => {
    const [name = '', terminal = null] = text.split('@');
    return { pid: text === 'init' ? 1 : 100 + index, name, terminal };
  });

test('an agent in a terminal counts by its terminal, whatever shells it opens', () => {
  const below = ['agent@pts/3', '-bash@pts/3', 'tmux: server', 'systemd', 'init'];
  assert.equal(callerOf(chain('bash@pts/3', ...below)), 'pts/3');
  assert.equal(callerOf(chain('bash', 'setsid', ...below)), 'pts/3', 'shells without a terminal');
  assert.equal(callerOf(chain('sh@pts/17', 'bash@pts/17', ...below)), 'pts/3', 'shells in terminals of their own');
  assert.equal(callerOf(chain('python3', 'sh', ...below)), 'pts/3', 'through another program');
});

test('an agent that is the first program of its terminal counts by it too', () => {
  assert.equal(callerOf(chain('bash@pts/4', 'node@pts/4', 'tmux: server', 'init')), 'pts/4');
});

test('two agents in two terminals are two', () => {
  const agent = (terminal: string): string | null =>
    callerOf(chain('sh', `agent@${terminal}`, `bash@${terminal}`, 'tmux: server', 'init'));
  assert.notEqual(agent('pts/1'), agent('pts/2'));
});

test('an agent without a terminal that opens one for each command is one', () => {
  assert.equal(callerOf(chain('bash@pts/5', 'node', 'code', 'systemd', 'init')), 'code 102');
  assert.equal(callerOf(chain('bash@pts/6', 'node', 'code', 'systemd', 'init')), 'code 102');
});

test('who types counts by what the terminals belong to', () => {
  assert.equal(callerOf(chain('bash@pts/5', 'tmux: server', 'systemd', 'init')), 'tmux: server 101');
});

test('logins and timed jobs count by the service alone, since each has processes of its own', () => {
  assert.equal(callerOf(chain('sh', 'bash', 'sshd', 'sshd', 'init')), 'sshd');
  assert.equal(callerOf(chain('-bash@pts/0', 'sshd', 'systemd', 'init')), 'sshd');
  assert.equal(callerOf(chain('sh', 'cron', 'cron', 'init')), 'cron');
});

test('where only shells are seen, nobody is known', () => {
  assert.equal(callerOf([]), null);
  assert.equal(callerOf(chain('sh', 'bash', 'init')), null);
  assert.equal(callerOf(chain('bash@pts/0', 'sh')), null);
  assert.equal(callerOf(chain('bash', 'sudo', 'timeout', 'systemd')), null);
});

test('the first process of a container is nobody, whatever it is called', () => {
  assert.equal(callerOf([{ pid: 1, name: 'node', terminal: 'pts/0' }]), null);
});
