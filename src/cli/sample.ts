import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, hostname } from 'node:os';
import { systemErrorWords } from '../client/system-error.ts';
import { defaultFolders } from '../sample/default-folders.ts';
import { fileWriter } from '../sample/file-writer.ts';
import { linuxSource, type SourceHost, type Wanted } from '../sample/linux-source.ts';
import type { Location } from '../sample/location.ts';
import { macSource } from '../sample/macos-source.ts';
import { ObjectWriter } from '../sample/object-writer.ts';
import { s3Object } from '../sample/s3-object.ts';
import { sampleLoop, type LoopClock } from '../sample/sample-loop.ts';
import type { SampleWriter } from '../sample/sample-writer.ts';
import { Sampler, type SampleSource } from '../sample/sampler.ts';
import { stageFile } from '../sample/stage.ts';
import { stdoutWriter } from '../sample/stdout-writer.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { sampleRequest, type SampleOptions, type SampleRequest } from './sample-options.ts';
import { say } from './say.ts';

/**
 * `orca sample`: a line of metrics every few seconds (seed 001: sample_main). Bad usage apart it exits with 0: whatever goes wrong, what it
 * watches goes on. Signals end it at once, as they end any program; each line that was written is whole.
 */
export async function sample(context: Context, options: SampleOptions): Promise<number> {
  const request = sampleRequest(context, options);
  const seconds = request.seconds ?? context.loaded.settings.get('ORCA_SAMPLE_SECONDS');
  if (seconds === 0) {
    complain(context, 'ORCA_SAMPLE_SECONDS is 0: no samples are taken.');
    return exitStatus.ok;
  }
  const clock: LoopClock = { now: () => performance.now(), sleep: (ms) => context.clock.sleep(ms) };
  const source = openSource(context, request);
  const sampler = await Sampler.open(source);
  const writer = openWriter(context, request, clock);
  const { until } = request;
  await sampleLoop({
    clock,
    seconds,
    count: request.count,
    isOver: () => source.hasEnded() || (until !== null && existsSync(until)),
    line: () => sampler.line(),
    write: (line) => writer.write(line),
    onDropped: (cause) => complain(context, `${dropped(request.out)}: ${words(cause)}. ${goesOn}`),
  });
  source.close();
  await writer.close();
  return exitStatus.ok;
}

const goesOn = 'Lines are lost; sampling goes on.';

const dropped = (out: Location): string =>
  `a sample could not be written to ${out.kind === 'stdout' ? 'standard output' : out.kind === 'file' ? out.path : 'its staging file'}`;

/** An error that stands for several has no words of its own. */
const words = (cause: unknown): string =>
  systemErrorWords(cause) ||
  systemErrorWords(cause instanceof AggregateError ? cause.errors[0] : cause) ||
  'no reason given';

/** Not waited for: a reader of standard error that pauses must not hold the sampler. */
function complain(context: Context, sentence: string): void {
  void say(context, sentence);
}

function openSource(context: Context, request: SampleRequest): SampleSource {
  const { pid, match, cgroup, names } = request;
  const wanted: Wanted = { pid, match, cgroup, names, folders: request.folders ?? defaultFolders(context.env) };
  const host: SourceHost = {
    host: hostname(),
    cores: availableParallelism(),
    now: () => performance.now(),
    time: () => context.clock.now(),
    selfCpu: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  };
  return process.platform === 'darwin'
    ? macSource(wanted, host, printed, lives)
    : linuxSource(wanted, host, { procRoot: '/proc', sysRoot: '/sys', cgroupRoot: '/sys/fs/cgroup' });
}

function openWriter(context: Context, { out, keep }: SampleRequest, clock: LoopClock): SampleWriter {
  switch (out.kind) {
    case 'stdout':
      return stdoutWriter((text) => context.out.write(text), clock.sleep);
    case 'file':
      return fileWriter(out.path, { keep });
    case 'object':
      return openObject(context, out, keep, clock);
  }
}

function openObject(
  context: Context,
  out: Location & { kind: 'object' },
  keep: number | null,
  clock: LoopClock,
): SampleWriter {
  const { settings } = context.loaded;
  const folder = settings.get('ORCA_LOG_STAGE');
  let stage: string;
  try {
    stage = stageFile(folder, out, context.stateHost.uid);
  } catch (cause) {
    return lostWriter(cause);
  }
  return new ObjectWriter({
    stage: fileWriter(stage, { keep, mode: 0o600, noLinks: true }),
    read: () => readFileSync(stage),
    put: s3Object(out, context.env),
    uploadSeconds: settings.get('ORCA_SAMPLE_UPLOAD_SECONDS'),
    clock,
    onFailed: (cause) =>
      complain(
        context,
        `samples could not be uploaded to s3://${out.bucket}/${out.key}: ${words(cause)}. They are kept in ${stage}; it is tried again until the end.`,
      ),
  });
}

/** For a place that may not be used: every line is lost. */
const lostWriter = (cause: unknown): SampleWriter => ({
  write: () => Promise.reject(cause instanceof Error ? cause : new Error(String(cause))),
  close: () => Promise.resolve(),
});

/** Empty when the command failed. */
const printed = (file: string, args: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile(file, args, { timeout: 10_000, maxBuffer: 2 ** 24 }, (error, text) => resolve(error === null ? text : ''));
  });

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    // Another user's process lives.
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM';
  }
}
