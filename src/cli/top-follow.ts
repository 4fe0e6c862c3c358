import { StringDecoder } from 'node:string_decoder';
import type { DaemonClient } from '../client/daemon-client.ts';
import { readLog } from '../client/read-log.ts';
import { visibleText } from '../units/visible-text.ts';
import { Wake } from './wake.ts';

/** So many of a log are read at first, and so many are kept to scroll in. */
const tail = 200;
const most = 5000;
/** One line can be the whole log. */
const longest = 1000;
/** Redrawn for new lines so often at most. */
const pauseMs = 100;

/** The lines that a run's last start writes, both outputs in the order in which they come; made visible. Ends with the start. */
export async function* followRun(client: DaemonClient, run: number, signal: AbortSignal): AsyncGenerator<string[]> {
  const lines = new LogLines();
  const wake = new Wake();
  let open = 2;
  let failure: Error | null = null as Error | null;
  const read = async (stream: 'stdout' | 'stderr'): Promise<void> => {
    const decoder = new StringDecoder('utf8');
    try {
      for await (const chunk of readLog(client, { run, stream, start: null, tail, follow: true }, signal)) {
        lines.add(stream, decoder.write(chunk));
        wake.up();
      }
    } catch (cause) {
      if (!signal.aborted) failure = cause instanceof Error ? cause : new Error('a log broke off', { cause });
    } finally {
      open -= 1;
      wake.up();
    }
  };
  void read('stdout');
  void read('stderr');
  while (open > 0 && !signal.aborted) {
    await wake.wait(signal);
    yield lines.all();
    await client.place.clock.sleep(pauseMs, signal);
  }
  if (failure !== null) throw failure;
  yield lines.all();
}

/** Lines of two streams; each one's last may still grow. */
export class LogLines {
  readonly #whole: string[] = [];
  readonly #rest = { stdout: '', stderr: '' };

  add(stream: 'stdout' | 'stderr', text: string): void {
    const parts = `${this.#rest[stream]}${text}`.split('\n');
    this.#rest[stream] = (parts.pop() ?? '').slice(0, longest);
    for (const part of parts) this.#whole.push(lineOf(part));
    this.#whole.splice(0, this.#whole.length - most);
  }

  all(): string[] {
    const rests = [this.#rest.stdout, this.#rest.stderr].filter((rest) => rest !== '');
    return [...this.#whole, ...rests.map(lineOf)];
  }
}

/** What a carriage return would have overwritten is left out, as a terminal would show it. */
const lineOf = (text: string): string => {
  const last = text.replace(/\r+$/, '').split('\r').at(-1) ?? '';
  return visibleText(last.slice(0, longest).replaceAll('\t', '    '));
};
