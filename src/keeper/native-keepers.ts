import type { Duplex } from 'node:stream';
import { askCtl, ctlKind } from './ctl.ts';
import type { Keepers, KeeperReport, KillResult, Program } from './keepers.ts';
import { BadRequest, goodbyeFrame, programFrame, startFrame, workFrame } from './messages.ts';
import { killResult, runProgram } from './program.ts';
import { inheritedStream, spawnResident, speakWith, type Resident } from './resident.ts';
import { askShCtl } from './sh-ctl.ts';
import { withoutStartVariables } from '../settings/start-variables.ts';

export interface NativeOptions {
  /** `orca-keep`. */
  readonly binary: string;
  /** `orca-keep.sh`, for starts of an earlier daemon that had no binary. */
  readonly script: string;
  readonly state: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How this daemon is started again should it die. */
  readonly program: Program;
  /** The stream's descriptor, where a resident started this daemon; else null. */
  readonly inherited: number | null;
  readonly onReport: (report: KeeperReport) => void;
  /** How a resident is started; tests put theirs here. */
  readonly open?: () => Duplex;
}

const protocol = 1;
const shortestPause = 100;
const longestPause = 30_000;
/** A resident that stayed this long is no failure of starting one. */
const stayed = 10_000;

/** Starts commands through `orca-keep`; a resident that died is replaced, and `closed` says that the folders must be read. */
export function nativeKeepers(options: NativeOptions): Keepers {
  const { binary, onReport } = options;
  const open = options.open ?? (() => spawnResident(options));
  let resident: Resident | null = null;
  let waiting: Buffer[] = [];
  let queued = false;
  let left = false;
  let pause = shortestPause;
  let again: NodeJS.Timeout | null = null;

  const attach = (stream: Duplex): void => {
    const since = performance.now();
    const mine = speakWith(stream, (report) => {
      if (report.type === 'closed') {
        replace(report.why, performance.now() - since);
      } else if (report.type === 'hello' && report.protocol !== protocol) {
        // A resident of another version: its keepers go on by themselves and their folders tell of them.
        mine.send(goodbyeFrame());
        void mine.end();
        replace(`the resident speaks protocol ${report.protocol}, this daemon ${protocol}`, stayed);
      } else {
        onReport(report);
      }
    });
    resident = mine;
    mine.send(programFrame('program', options.program));
    mine.send(workFrame(queued));
    for (const frame of waiting) mine.send(frame);
    waiting = [];
  };

  const replace = (why: string, afterMs: number): void => {
    resident = null;
    if (left) return;
    if (afterMs >= stayed) pause = shortestPause;
    again = setTimeout(() => attach(open()), pause);
    pause = Math.min(pause * 2, longestPause);
    onReport({ type: 'closed', why });
  };

  const send = (frame: Buffer): void => {
    if (resident === null) waiting.push(frame);
    else resident.send(frame);
  };

  attach(options.inherited === null ? open() : inheritedStream(options.inherited));

  return {
    kind: 'native',
    why: null,
    start(request) {
      try {
        send(startFrame(request));
      } catch (error) {
        if (!(error instanceof BadRequest)) throw error;
        const { run, start } = request;
        const { errno, message } = error;
        setImmediate(() => onReport({ type: 'refused', run, start, stage: 'request', errno, message }));
      }
    },
    work(now) {
      if (now === queued) return;
      queued = now;
      resident?.send(workFrame(queued));
    },
    goodbye() {
      left = true;
      resident?.send(goodbyeFrame());
    },
    handover(program) {
      left = true;
      resident?.send(programFrame('handover', program));
    },
    async close() {
      left = true;
      if (again !== null) clearTimeout(again);
      await resident?.end();
    },
    async kill(folder, uuid, cgroup): Promise<KillResult> {
      const args = ['kill', folder, uuid, ...(cgroup ? [cgroup] : [])];
      const { code } = await runProgram(binary, args, { env: withoutStartVariables(options.env), timeoutMs: 60_000 });
      return killResult(code);
    },
    ctl: (folder, request, timeoutMs) =>
      ctlKind(folder) === 'other' ? askShCtl(options, folder, request, timeoutMs) : askCtl(folder, request, timeoutMs),
  };
}
