import { encodeFrame, MalformedFrame, type Field } from './frame.ts';
import type { KeeperReport, Program, StartRequest } from './keepers.ts';
import { parseExit } from './records.ts';

/** A request that no keeper could carry out, in the words of its `refused` report. */
export class BadRequest extends Error {
  readonly errno: number;

  constructor(errno: number, message: string) {
    super(message);
    this.errno = errno;
  }
}

const einval = 22;
const e2big = 7;

/** The `start` frame. Throws BadRequest when a text holds a zero byte or the whole is too large. */
export function startFrame(request: StartRequest): Buffer {
  const fields: Field[] = ['start', 'folder', request.folder, 'run', `${request.run}`, 'start', `${request.start}`];
  fields.push('uuid', request.uuid, 'cwd', request.cwd);
  for (const arg of request.args) fields.push('arg', arg);
  for (const entry of request.env) fields.push('env', entry);
  fields.push('stdin', request.stdin, 'stdout', request.stdout, 'stderr', request.stderr);
  const optional: readonly (readonly [string, string | number | null | undefined])[] = [
    ['cgroup', request.cgroup],
    ['enter', request.enter],
    ['shared', request.shared],
    ['oom_score_adj', request.oomScoreAdj],
    ['nice', request.nice],
    ['umask', request.umask?.toString(8)],
    ['log_max', request.logMax],
    ['timeout_ms', wholeMillis(request.timeoutMs)],
    ['grace_ms', wholeMillis(request.graceMs)],
  ];
  for (const [key, value] of optional) if (value !== null && value !== undefined) fields.push(key, `${value}`);
  for (const limit of request.rlimits ?? []) fields.push('rlimit', limit);
  if (request.args.length === 0) throw new BadRequest(einval, 'there is no program to start');
  // The kernel takes these as C strings; a zero byte would cut one short without a word.
  if (fields.some((field) => typeof field === 'string' && field.includes('\0'))) {
    throw new BadRequest(einval, 'a path, an argument or the environment holds a zero byte');
  }
  try {
    return encodeFrame(fields);
  } catch (error) {
    if (error instanceof RangeError)
      throw new BadRequest(e2big, `the arguments and the environment are ${error.message}`);
    throw error;
  }
}

/** Durations come from settings with fractions; none becomes 0, which would mean none at all. */
const wholeMillis = (ms: number | null | undefined): number | null | undefined => (ms ? Math.ceil(ms) : ms);

export function programFrame(verb: 'program' | 'handover', { args, env, log }: Program): Buffer {
  const fields: Field[] = [verb];
  for (const arg of args) fields.push('arg', arg);
  for (const entry of env) fields.push('env', entry);
  fields.push('log', log);
  return encodeFrame(fields);
}

export const workFrame = (queued: boolean): Buffer => encodeFrame(['work', 'queued', queued ? '1' : '0']);
export const goodbyeFrame = (): Buffer => encodeFrame(['goodbye']);

/** What a frame of the resident says; null for a verb of a later version. Throws MalformedFrame. */
export function readReport(fields: readonly Buffer[]): KeeperReport | null {
  const verb = fields[0]?.toString('latin1') ?? '';
  if (fields.length % 2 !== 1) throw new MalformedFrame(`\`${verb}\` with a key that has no value`);
  const values = new Map<string, Buffer>();
  for (let at = 1; at < fields.length; at += 2) {
    const [key, value] = [fields[at], fields[at + 1]];
    if (key !== undefined && value !== undefined) values.set(key.toString('latin1'), value);
  }
  const text = (key: string): string => {
    const value = values.get(key);
    if (value === undefined) throw new MalformedFrame(`\`${verb}\` without \`${key}\``);
    return value.toString('utf8');
  };
  const number = (key: string): number => {
    const word = text(key);
    if (!/^-?\d{1,15}$/.test(word)) throw new MalformedFrame(`\`${verb}\` with a \`${key}\` that is no number`);
    return Number(word);
  };
  const which = (): { run: number; start: number } => ({ run: number('run'), start: number('start') });
  switch (verb) {
    case 'hello':
      return { type: 'hello', protocol: number('protocol'), pid: number('pid'), active: number('active') };
    case 'running':
      return { type: 'running', ...which(), keeper: number('keeper'), pid: number('pid') };
    case 'ended':
      return { type: 'ended', ...which(), record: parseExit(text('record')) };
    case 'void':
      return { type: 'void', ...which() };
    case 'refused':
      return { type: 'refused', ...which(), stage: text('stage'), errno: number('errno'), message: text('message') };
    default:
      return null;
  }
}
