import { existsSync } from 'node:fs';
import { sampleLoop, type LoopClock } from '../sample/sample-loop.ts';
import { Sampler } from '../sample/sampler.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { sampleRequest, type SampleOptions } from './sample-options.ts';
import { openSource } from './sample-source.ts';
import { lostWords, openWriter } from './sample-writer.ts';
import { say } from './say.ts';

/**
 * `orca sample`: a line of metrics every few seconds (seed 001: sample_main). Bad usage apart it exits with 0: whatever goes wrong, what it
 * watches goes on. Signals end it at once, as they end any program; each line that was written is whole.
 */
export async function sample(context: Context, options: SampleOptions): Promise<number> {
  const request = sampleRequest(context, options);
  const seconds = request.seconds ?? context.loaded.settings.get('ORCA_SAMPLE_SECONDS');
  const clock: LoopClock = { now: () => performance.now(), sleep: (ms) => context.clock.sleep(ms) };
  // Sentences are not waited for until the end, and then not for long: a reader of standard error that pauses must not hold the sampler.
  let said: Promise<unknown> = Promise.resolve();
  const complain = (sentence: string): void => {
    said = say(context, sentence);
  };
  if (seconds === 0) complain('ORCA_SAMPLE_SECONDS is 0: no samples are taken.');
  else {
    const source = openSource(context, request);
    const sampler = await Sampler.open(source);
    const writer = openWriter(context, request, clock, complain);
    const { until } = request;
    await sampleLoop({
      clock,
      seconds,
      count: request.count,
      isOver: () => source.hasEnded() || (until !== null && existsSync(until)),
      line: () => sampler.line(),
      write: (line) => writer.write(line),
      onDropped: (cause) => complain(lostWords(request.out, cause)),
    });
    source.close();
    await writer.close();
  }
  await Promise.race([said, clock.sleep(1000)]);
  return exitStatus.ok;
}
