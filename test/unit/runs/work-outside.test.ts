import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workOutside } from '../../../src/runs/work-outside.ts';

const of = (line: string): string | null => workOutside(line.split(' ').filter((word) => word !== ''));

test('a command that is a client of something else is named by its basename', () => {
  for (const name of ['docker', 'podman', 'nerdctl', 'kubectl', 'sbatch', 'srun', 'ssh', 'systemd-run']) {
    assert.equal(of(`${name} run x`), name);
    assert.equal(of(`/usr/local/bin/${name} run x`), name);
  }
});

test('any other command is none, also one with a client’s name among its words or in its path', () => {
  for (const line of [
    'xz -9 docker',
    'docker/build.sh',
    './dockerd',
    'echo docker run',
    'sh -c docker',
    'ssh-keygen -t ed25519',
    'grep ssh /etc/passwd',
    'constructor',
    '',
  ])
    assert.equal(of(line), null, line);
});

test('a client is seen behind programs that run another', () => {
  for (const line of [
    'sudo docker run x',
    'sudo -u ada -n docker run x',
    'sudo --user=ada A=1 docker run x',
    'env docker run x',
    'env -i A=1 B= docker run x',
    'env -u HOME -C /tmp -- docker run x',
    'nice docker run x',
    'nice -n 5 docker run x',
    'nice -n5 docker run x',
    'nice -5 docker run x',
    '/usr/bin/time -v -o /tmp/out docker run x',
    'timeout -k 5 1h docker run x',
    'timeout --foreground 60 sudo -E docker run x',
    'nohup setsid -w stdbuf -o L ionice -c 3 docker run x',
    'doas -u ada docker run x',
  ])
    assert.equal(of(line), 'docker', line);
});

test('what such a program takes for itself is not its command', () => {
  for (const line of [
    'sudo -u docker ls',
    'sudo --user docker ls',
    'sudo -e docker',
    'env docker=1 ls',
    'env -u docker ls',
    'env -S docker',
    'nice -n docker ls',
    'time -o docker ls',
    'timeout docker ls',
    'timeout 5',
    'ionice -p docker',
    'sudo',
    'sudo --',
  ])
    assert.equal(of(line), null, line);
});

test('a container of podman without a cgroup of its own stays in the run', () => {
  assert.equal(of('podman run --cgroups=disabled x'), null);
  assert.equal(of('podman run --cgroups disabled x'), null);
  assert.equal(of('podman run --cgroups=split x'), 'podman');
  assert.equal(of('docker run --cgroups=disabled x'), 'docker');
});
