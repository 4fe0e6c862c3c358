/** The files of a start folder, as text in and plain values out; docs/keeper-protocol.md, *The start folder*. */
import { reading, type Shape } from './shape.ts';

/** A record that was read, or why it cannot be used. Nothing here throws: one bad record stops no other (R5). */
export type Read<T> = { readonly value: T; readonly why: null } | { readonly value: null; readonly why: string };

/** A process, named so that a reused pid is told apart: `start` in clock ticks since boot. */
export interface ProcessName {
  readonly pid: number;
  readonly start: number;
}

export interface PidRecord {
  readonly boot: string;
  readonly uuid: string;
  readonly keeper: ProcessName;
  readonly command: ProcessName;
  readonly at_ms: number;
}

export const markNames = ['timer', 'user', 'held', 'cap', 'none'] as const;
export type MarkName = (typeof markNames)[number];

export interface Mark {
  readonly mark: MarkName;
  readonly at_ms: number;
  /** The own cgroup's count when the mark was written. */
  readonly oom_kill: number | null;
  readonly text: string;
}

export interface StartFailure {
  readonly stage: string;
  readonly errno: number;
  readonly message: string;
}

export interface CgroupTexts {
  readonly path: string;
  readonly events: string | null;
  readonly peak: string | null;
  readonly pressure: string | null;
  readonly cpu: string | null;
  readonly oomd_kill: string | null;
  readonly oomd_ooms: string | null;
}

export interface SharedTexts {
  readonly file: string;
  readonly before: string | null;
  readonly after: string | null;
}

export const endings = ['exited', 'signalled', 'not-started', 'keeper-died', 'unknown'] as const;
export type Ending = (typeof endings)[number];

export interface ExitRecord {
  readonly protocol: number;
  readonly keeper: 'native' | 'sh';
  readonly how: Ending;
  readonly code: number | null;
  readonly signal: number | null;
  readonly failed: StartFailure | null;
  readonly max_rss_bytes: number | null;
  readonly user_us: number | null;
  readonly system_us: number | null;
  readonly boot: string | null;
  readonly started_ms: number | null;
  readonly ended_ms: number | null;
  readonly elapsed_us: number | null;
  readonly marks: readonly Mark[];
  readonly cgroup: CgroupTexts | null;
  readonly shared: SharedTexts | null;
}

export function parsePid(text: string): Read<PidRecord> {
  return reading(text, (json) => ({
    boot: json.text('boot'),
    uuid: json.text('uuid'),
    keeper: processName(json.object('keeper')),
    command: processName(json.object('command')),
    at_ms: json.number('at_ms'),
  }));
}

const processName = (json: Shape): ProcessName => ({ pid: json.count('pid'), start: json.count('start') });

export function parseExit(text: string): Read<ExitRecord> {
  return reading(text, (json) => ({
    protocol: json.count('protocol'),
    keeper: json.oneOf('keeper', ['native', 'sh']),
    how: json.oneOf('how', endings),
    code: json.maybe('code', () => json.number('code')),
    signal: json.maybe('signal', () => json.count('signal')),
    failed: json.maybe('failed', () => startFailure(json.object('failed'))),
    max_rss_bytes: json.maybe('max_rss_bytes', () => json.number('max_rss_bytes')),
    user_us: json.maybe('user_us', () => json.number('user_us')),
    system_us: json.maybe('system_us', () => json.number('system_us')),
    boot: json.maybe('boot', () => json.text('boot')),
    started_ms: json.maybe('started_ms', () => json.number('started_ms')),
    ended_ms: json.maybe('ended_ms', () => json.number('ended_ms')),
    elapsed_us: json.maybe('elapsed_us', () => json.number('elapsed_us')),
    marks: json.maybe('marks', () => json.list('marks').map(mark)) ?? [],
    cgroup: json.maybe('cgroup', () => cgroupTexts(json.object('cgroup'))),
    shared: json.maybe('shared', () => sharedTexts(json.object('shared'))),
  }));
}

const startFailure = (json: Shape): StartFailure => ({
  stage: json.text('stage'),
  errno: json.number('errno'),
  message: json.text('message'),
});

const cgroupTexts = (json: Shape): CgroupTexts => {
  const text = (key: string): string | null => json.maybe(key, () => json.text(key));
  return {
    path: json.text('path'),
    events: text('events'),
    peak: text('peak'),
    pressure: text('pressure'),
    cpu: text('cpu'),
    oomd_kill: text('oomd_kill'),
    oomd_ooms: text('oomd_ooms'),
  };
};

const sharedTexts = (json: Shape): SharedTexts => ({
  file: json.text('file'),
  before: json.maybe('before', () => json.text('before')),
  after: json.maybe('after', () => json.text('after')),
});

const mark = (json: Shape): Mark => ({
  mark: json.oneOf('mark', markNames),
  at_ms: json.number('at_ms'),
  oom_kill: json.maybe('oom_kill', () => json.number('oom_kill')),
  text: json.maybe('text', () => json.text('text')) ?? '',
});

/** The `marks` file: one mark a line. What cannot be read is skipped and told; a last line without its end is not whole yet. */
export function parseMarks(text: string): { readonly marks: readonly Mark[]; readonly problems: readonly string[] } {
  const marks: Mark[] = [];
  const problems: string[] = [];
  for (const [index, line] of text.split('\n').slice(0, -1).entries()) {
    const read = reading(line, mark);
    if (read.why === null) marks.push(read.value);
    else problems.push(`line ${index + 1}: ${read.why}`);
  }
  return { marks, problems };
}
