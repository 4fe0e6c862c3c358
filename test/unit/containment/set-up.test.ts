import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leafLowBytes, setUpCgroups, type SetUp, type SetUpHost } from '../../../src/containment/set-up.ts';
import type { ServiceWord } from '../../../src/settings/service-word.ts';
import { FakeKernel, type KernelOptions } from './fake-kernel.ts';

const top = '/sys/fs/cgroup';
const ourPid = '100';

interface Machine {
  readonly kernel: FakeKernel;
  readonly pauses: number[];
  readonly setUp: (changes?: Partial<SetUpHost>) => SetUp;
}

/** A machine whose orca process is in the cgroup `own`, with others beside it. */
const machine = (
  own: string,
  options: KernelOptions & { readonly mountOptions?: string; readonly beside?: string[] } = {},
): Machine => {
  const kernel = new FakeKernel(top, options);
  kernel.place(`${top}${own === '/' ? '' : own}`, ourPid, ...(options.beside ?? []));
  kernel.others.set('/proc/self/cgroup', `0::${own}\n`);
  kernel.others.set(
    '/proc/self/mountinfo',
    `30 23 0:26 / ${top} ${options.mountOptions ?? 'rw'},nosuid - cgroup2 cgroup2 rw,nsdelegate\n`,
  );
  const pauses: number[] = [];
  const pause = (ms: number): number => pauses.push(ms);
  const host = {
    fs: kernel,
    procRoot: '/proc',
    wanted: true,
    pid: Number(ourPid),
    systemd: false,
    service: null,
    pause,
  };
  return { kernel, pauses, setUp: (changes = {}) => setUpCgroups({ ...host, ...changes }) };
};

const why = (result: SetUp): string => (result.on ? `on: ${result.why}` : result.why);
const advice = (result: SetUp): string | null => (result.on ? 'on' : result.advice);

test('set-up moves all of its cgroup into the leaf and turns the memory controller on for the runs', () => {
  const { kernel, setUp } = machine('/user/box', { beside: ['101', '102'] });
  const result = setUp();
  assert.ok(result.on, why(result));
  assert.equal(result.base, `${top}/user/box`);
  assert.equal(result.leaf, `${top}/user/box/orca`);
  assert.deepEqual([...result.controllers].sort(), ['cpu', 'io', 'memory', 'pids']);
  assert.deepEqual([...kernel.group(result.leaf).procs].sort(), ['100', '101', '102']);
  assert.equal(kernel.group(result.base).procs.size, 0);
});

test('it says when runs have no io controller', () => {
  const said = (controllers: readonly string[]): string => why(machine('/box', { controllers }).setUp());
  assert.equal(said(['memory', 'io']), `on: runs have cgroups of their own in ${top}/box`);
  assert.equal(said(['memory', 'cpu']), `on: runs have cgroups of their own in ${top}/box (without the io controller)`);
});

test('the leaf is protected from reclaim for the runs', () => {
  const { kernel, setUp } = machine('/box');
  setUp();
  assert.equal(kernel.read(`${top}/box/orca/memory.low`), String(leafLowBytes));
});

test('from the leaf the cgroup above is the base, and a second set-up changes nothing', () => {
  const { kernel, setUp } = machine('/box');
  const first = setUp();
  kernel.others.set('/proc/self/cgroup', '0::/box/orca\n');
  assert.deepEqual(setUp(), first);
  assert.deepEqual(kernel.folders(`${top}/box/orca`), []);
});

test('processes that come while others are moved are moved on a later try', () => {
  const { kernel, setUp } = machine('/box', { beside: ['101'] });
  let born = 200;
  kernel.meanwhile = () => {
    if (born < 206) kernel.place(`${top}/box`, String(born++));
  };
  const result = setUp();
  assert.ok(result.on, why(result));
  assert.equal(kernel.group(result.leaf).procs.size, 8);
});

test('a process that ends before it is moved is no obstacle', () => {
  const { kernel, setUp } = machine('/box', { beside: ['101', '102'] });
  kernel.meanwhile = (pid) => {
    if (pid === '101') kernel.group(`${top}/box`).procs.delete('101');
  };
  assert.ok(setUp().on);
});

test('a cgroup that is never empty is told as such, after tries with pauses between them', () => {
  const { kernel, pauses, setUp } = machine('/box', { beside: ['101'] });
  let born = 200;
  kernel.meanwhile = () => kernel.place(`${top}/box`, String(born++));
  kernel.refusals.set(`${top}/box/cgroup.subtree_control && orca restart`, 'EBUSY');
  const result = setUp();
  assert.match(why(result), /could not be emptied/);
  assert.ok(pauses.length > 10 && pauses.reduce((sum, ms) => sum + ms, 0) < 2000);
});

test('at the top of the machine only orca moves: others may stay beside cgroups there', () => {
  const { kernel, setUp } = machine('/', { hostRoot: true, beside: ['1', '9001'] });
  const result = setUp();
  assert.ok(result.on, why(result));
  assert.equal(result.base, top);
  assert.deepEqual([...kernel.group(top).procs], ['1', '9001']);
  assert.deepEqual([...kernel.group(`${top}/orca`).procs], [ourPid]);
});

test('in a container of its own, and as its pid 1, everything moves into the leaf', () => {
  const { kernel, setUp } = machine('/', { beside: ['1', '7'] });
  const result = setUp({ pid: 1 });
  assert.ok(result.on, why(result));
  assert.deepEqual([...kernel.group(`${top}/orca`).procs].sort(), ['1', '100', '7']);
});

test('a thread of the kernel in a cgroup does not stop the others from being moved', () => {
  const { kernel, setUp } = machine('/box', { beside: ['9001', '101'] });
  setUp();
  assert.ok(kernel.group(`${top}/box/orca`).procs.has('101'));
});

test('a daemon that was started inside a run leaves its cgroup, and what is the run stays', () => {
  const { kernel, setUp } = machine('/box/orca-run-5-1-77/inner', { beside: ['101'] });
  const result = setUp();
  assert.ok(result.on, why(result));
  assert.equal(result.base, `${top}/box`);
  assert.deepEqual([...kernel.group(`${top}/box/orca`).procs], [ourPid]);
  assert.ok(kernel.group(`${top}/box/orca-run-5-1-77/inner`).procs.has('101'));
});

test('a daemon that may not leave the run it was started in has no cgroups', () => {
  const { kernel, setUp } = machine('/box/orca-run-5-1-77');
  kernel.refusals.set(`${top}/box/orca/cgroup.procs`, 'EACCES');
  assert.match(why(setUp()), /started inside a run's cgroup \(\/box\/orca-run-5-1-77\)/);
});

test('ORCA_CGROUPS=0 changes nothing', () => {
  const { kernel, setUp } = machine('/box');
  const result = setUp({ wanted: false });
  // The resident gives a restarted daemon the environment of the one before.
  assert.deepEqual([why(result), advice(result)], ['ORCA_CGROUPS is 0', 'orca down; ORCA_CGROUPS=1 orca up']);
  assert.equal(kernel.groups.has(`${top}/box/orca`), false);
});

test('an undelegated cgroup is told with the command that would give it, and nothing was changed', () => {
  for (const file of ['', '/cgroup.procs', '/cgroup.subtree_control']) {
    const { kernel, setUp } = machine('/box');
    kernel.unwritable.add(`${top}/box${file}`);
    const result = setUp();
    assert.match(why(result), new RegExp(`${top}/box is not delegated to this user \\(${top}/box${file} may not`));
    assert.equal(
      advice(result),
      `sudo chown "$(id -u)" ${top}/box ${top}/box/cgroup.procs ${top}/box/cgroup.subtree_control && orca restart`,
    );
    assert.equal(kernel.groups.has(`${top}/box/orca`), false);
  }
});

test('at the top of the machine an unprivileged user is told how to get a cgroup of their own', () => {
  const { kernel, setUp } = machine('/', { hostRoot: true });
  kernel.unwritable.add(top);
  assert.match(
    advice(setUp()) ?? '',
    /^sudo sh -c '.*mkdir -p \/sys\/fs\/cgroup\/orca-of-\$0 .*' "\$\(id -u\)" \$\$ && orca down && orca up$/,
  );
});

test('under systemd a login session is told to linger, and a service to be delegated', () => {
  const session = machine('/user.slice/user-1000.slice/session-3.scope');
  session.kernel.unwritable.add(`${top}/user.slice/user-1000.slice/session-3.scope`);
  assert.equal(advice(session.setUp({ systemd: true })), 'loginctl enable-linger && orca restart');
  const service = machine('/system.slice/box.service');
  service.kernel.unwritable.add(`${top}/system.slice/box.service`);
  assert.match(advice(service.setUp({ systemd: true })) ?? '', /`Delegate=yes`/);
});

test('a daemon that systemd could not run as a service says why not, and the command that would change it', () => {
  const session = machine('/user.slice/user-1000.slice/session-3.scope');
  session.kernel.unwritable.add(`${top}/user.slice/user-1000.slice/session-3.scope`);
  const told = (service: ServiceWord) => {
    const result = session.setUp({ systemd: true, service });
    return [result.why.split(', and ')[1] ?? '', advice(result)];
  };
  assert.deepEqual(told({ kind: 'no-linger' }), [
    'a service of this user would end at logout, with its runs: the user does not linger',
    'loginctl enable-linger && orca restart',
  ]);
  assert.match(told({ kind: 'no-manager', uid: 7 })[1] ?? '', /user@7\.service && orca restart$/);
  assert.match(told({ kind: 'refused', why: 'no bus' })[0] ?? '', /\(no bus\)$/);
  assert.match(told({ kind: 'no-systemd-run' })[0] ?? '', /systemd-run/);
});

test("a user's own systemd that was not given the memory controller is told as that", () => {
  const service = machine('/user.slice/user@1000.service/app.slice/orca-1.service', { controllers: ['cpu', 'pids'] });
  const result = service.setUp({ systemd: true, service: { kind: 'service' } });
  assert.match(result.why, /^the memory controller is not given to .*orca-1\.service/);
  assert.match(advice(result) ?? '', /user@\.service/);
});

test('a refusal that only the act shows is told as what it is', () => {
  const cases = [
    ['mkdir', 'EACCES', /not delegated/],
    ['mkdir', 'EROFS', /mounted read-only/],
    ['mkdir', 'EAGAIN', /refused .*\/box\/orca \(EAGAIN\)/],
    ['/cgroup.subtree_control', 'EPERM', /not delegated/],
    ['/cgroup.subtree_control', 'EROFS', /mounted read-only/],
    ['/cgroup.subtree_control', 'EOPNOTSUPP', /cannot limit memory/],
    ['/cgroup.subtree_control', 'EIO', /refused .*subtree_control \(EIO\)/],
    ['/orca/cgroup.procs', 'EACCES', /not delegated/],
    ['/orca/cgroup.procs', 'EIO', /refused .*\/orca\/cgroup.procs \(EIO\)/],
  ] as const;
  for (const [file, code, said] of cases) {
    const { kernel, setUp } = machine('/box');
    kernel.refusals.set(`${top}/box${file === 'mkdir' ? '/orca' : file}`, code);
    assert.match(why(setUp()), said, `${file} ${code}`);
  }
});

test('a read-only mount is told, in a container with how to start it', () => {
  const plain = machine('/box', { mountOptions: 'ro' });
  assert.equal(why(plain.setUp()), `cgroup v2 is mounted read-only at ${top}`);
  assert.equal(advice(plain.setUp()), `mount -o remount,rw ${top} && orca restart`);
  assert.match(advice(machine('/', { mountOptions: 'ro' }).setUp()) ?? '', /--privileged --cgroupns=private/);
});

test('a threaded cgroup cannot limit memory', () => {
  for (const type of ['threaded', 'domain threaded', 'domain invalid']) {
    const { kernel, setUp } = machine('/box');
    kernel.group(`${top}/box`).files.set('cgroup.type', `${type}\n`);
    assert.match(why(setUp()), new RegExp(`of type \`${type}\``));
    assert.match(advice(setUp()) ?? '', /in a cgroup of type `domain`: orca down; orca up$/);
  }
});

test('a memory controller that is not given is told with those who would have to give it', () => {
  const { kernel, setUp } = machine('/a/b');
  kernel.group(top).on = new Set(['cpu']);
  kernel.group(`${top}/a`).on = new Set(['cpu']);
  const result = setUp();
  assert.match(why(result), /not given to \/sys\/fs\/cgroup\/a\/b \(cgroup.controllers: cpu\)/);
  assert.equal(
    advice(result),
    `sudo sh -c 'echo +memory > ${top}/cgroup.subtree_control && echo +memory > ${top}/a/cgroup.subtree_control' && orca restart`,
  );
});

test('a kernel that offers no memory controller at its top is told to boot with it', () => {
  const result = machine('/', { hostRoot: true, controllers: ['cpu'] }).setUp();
  assert.equal(why(result), 'the kernel offers no memory controller');
  assert.match(advice(result) ?? '', /cgroup_enable=memory/);
  const inContainer = machine('/', { controllers: ['cpu'] }).setUp();
  assert.match(why(inContainer), /not given/);
  assert.equal(advice(inContainer), null);
});

test('in a hybrid layout the memory controller belongs to version 1', () => {
  const { kernel, setUp } = machine('/', { hostRoot: true, controllers: [] });
  kernel.others.set('/proc/self/cgroup', '4:memory:/x\n1:name=systemd:/\n0::/\n');
  const result = setUp({ systemd: true });
  assert.match(why(result), /memory controller belongs to cgroup v1/);
  assert.match(advice(result) ?? '', /unified_cgroup_hierarchy=1/);
});

test('a mount from outside of our cgroup namespace is told with the mount that would show it, where one would', () => {
  const { kernel, setUp } = machine('/');
  kernel.others.set('/proc/self/mountinfo', `30 23 0:26 /.. ${top} rw - cgroup2 cgroup2 rw\n`);
  assert.equal(advice(setUp()), `umount ${top} && mount -t cgroup2 none ${top} && orca restart`);
  kernel.others.set('/proc/self/cgroup', '0::/../box\n');
  assert.equal(advice(setUp()), null);
});

test('version 1 alone, no cgroups at all, no mount, and a mount that hides us are told apart', () => {
  const told = (change: (kernel: FakeKernel) => void): string => {
    const { kernel, setUp } = machine('/box');
    change(kernel);
    return why(setUp());
  };
  assert.match(
    told((kernel) => kernel.others.delete('/proc/self/cgroup')),
    /no cgroups/,
  );
  assert.match(
    told((kernel) => kernel.others.set('/proc/self/cgroup', '4:memory:/x\n')),
    /cgroup v1 only/,
  );
  assert.match(
    told((kernel) => kernel.others.set('/proc/self/mountinfo', 'garbage\n')),
    /mounted nowhere/,
  );
  assert.match(
    told((kernel) => kernel.others.set('/proc/self/cgroup', '0::/../box\n')),
    /does not show .*\/\.\.\/box/,
  );
  assert.match(
    told((kernel) => kernel.others.set('/proc/self/cgroup', '0::/elsewhere\n')),
    /does not show/,
  );
});

test('processes of another pid namespace are told as the obstacle', () => {
  const { setUp } = machine('/box', { beside: ['0a', '0b'] });
  assert.match(why(setUp()), /^2 processes that cannot be seen from here share the cgroup/);
});

test('a cgroup that happens to be called orca, in a parent that is not ours, holds the runs itself', () => {
  const { kernel, setUp } = machine('/box/orca');
  kernel.unwritable.add(`${top}/box`);
  const result = setUp();
  assert.ok(result.on, why(result));
  assert.equal(result.base, `${top}/box/orca`);
  kernel.others.set('/proc/self/cgroup', '0::/box/orca/orca\n');
  assert.deepEqual(setUp(), result);
});

test('a kernel that takes the controller and does not have it afterwards is not believed', () => {
  const { kernel, setUp } = machine('/box');
  const write = kernel.write.bind(kernel);
  kernel.write = (file, text) => (file.endsWith('subtree_control') ? null : write(file, text));
  assert.match(why(setUp()), /refused .*subtree_control/);
});
