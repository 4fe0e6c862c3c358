import { spawn } from 'node:child_process';
import { Console, type Said } from './console.ts';
import type { Kernel } from './kernel.ts';

export interface Parts {
  readonly kernel: Kernel;
  readonly initrd: string;
  readonly disk: string;
  /** What is written to the disk goes with the machine. */
  readonly diskStays?: true;
  /** More words for the kernel. */
  readonly append?: string;
}

export type Outcome =
  | { readonly how: 'ended'; readonly status: number; readonly bootSeconds: number }
  | { readonly how: 'late' }
  /** Without the suite's status; what the console said before the suite began. */
  | { readonly how: 'broken'; readonly before: readonly string[] };

const argumentsOf = ({ kernel, initrd, disk, diskStays, append }: Parts): string[] => [
  ...['-accel', 'tcg,thread=multi', '-cpu', 'max', '-m', '2048', '-smp', '2'],
  ...['-nodefaults', '-display', 'none', '-serial', 'stdio', '-no-reboot'],
  ...['-drive', `file=${disk},format=raw,if=virtio,cache=unsafe,snapshot=${diskStays ? 'on' : 'off'}`],
  ...['-kernel', kernel.image, '-initrd', initrd],
  ...['-append', `console=ttyS0 psi=1 panic=-1 quiet ${append ?? ''}`],
];

/** Runs the machine once, until it switches itself off, or the deadline. Each line of the suite is given to `show` as it comes. */
export const runMachine = (parts: Parts, deadlineMs: number, show: (line: string) => void): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    // The machine dies with this process, however that ends.
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', 'qemu-system-x86_64', ...argumentsOf(parts)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const console = new Console();
    const before: string[] = [];
    let [begun, late, bootSeconds]: [boolean, boolean, number] = [false, false, 0];
    let status: number | null = null;
    const hear = (said: Said): void => {
      if (said.kind === 'begin') [begun, bootSeconds] = [true, said.seconds];
      else if (said.kind === 'end') status = said.status;
      else if (begun && status === null) show(said.text);
      else if (!begun) before.push(said.text);
    };
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, deadlineMs);
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      for (const said of console.take(piece)) hear(said);
    });
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      if (console.rest !== '') hear({ kind: 'line', text: console.rest });
      if (status !== null) resolve({ how: 'ended', status, bootSeconds });
      else resolve(late ? { how: 'late' } : { how: 'broken', before });
    });
  });
