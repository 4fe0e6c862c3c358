import type { DaemonClient } from '../client/daemon-client.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { killWords } from './kill.ts';
import { storyLines } from './story.ts';
import { doerOf } from './submitter.ts';
import { folded } from './table.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import { followRun } from './top-follow.ts';
import { keysOf, pressed, type TopEffect } from './top-keys.ts';
import { topScreen } from './top-screen.ts';
import { firstState, type PagesView, type TopState } from './top-state.ts';
import { absenceWords, troubleWords } from './top-trouble.ts';

/** Between two looks: what runs use changes four times a second at most, and a person reads slower. */
const lookMs = 1000;

/** Shows and follows keys until it is left. The terminal is given back whatever happens. */
export async function runTop(context: Context, client: DaemonClient): Promise<number> {
  const top = new Top(context, client);
  try {
    return await top.run();
  } finally {
    top.close();
  }
}

class Top {
  readonly #context: Context;
  readonly #client: DaemonClient;
  readonly #terminal: Terminal;
  readonly #left = new AbortController();
  readonly #offs: (() => void)[] = [];
  #state: TopState = firstState;
  #signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | null = null;
  /** Ends what fills the view that is open. */
  #filling: AbortController | null = null;

  constructor(context: Context, client: DaemonClient) {
    this.#context = context;
    this.#client = client;
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      const off = context.onSignal(name, () => {
        this.#signal ??= name;
        this.#left.abort();
      });
      this.#offs.push(off);
    }
    this.#terminal = openTerminal({
      onGone: () => this.#left.abort(),
      onKeys: (text) => this.#keys(text),
      onResize: () => {
        this.#terminal.forget();
        this.#draw();
      },
    });
  }

  async run(): Promise<number> {
    const { clock } = this.#context;
    const { signal } = this.#left;
    this.#draw();
    while (!signal.aborted) {
      await this.#look();
      this.#draw();
      await clock.sleep(lookMs, signal);
    }
    if (this.#signal === null) return exitStatus.ok;
    // Whoever sent it sees that it was heard: the process ends by it, with its terminal given back.
    this.close();
    process.kill(this.#context.pid, this.#signal);
    return exitStatus.interrupted;
  }

  close(): void {
    this.#filling?.abort();
    this.#terminal.close();
    for (const off of this.#offs.splice(0)) off();
  }

  async #look(): Promise<void> {
    try {
      const looked = await this.#client.lookAtMachine();
      this.#state =
        looked.kind === 'there'
          ? { ...this.#state, machine: looked.answer, trouble: null }
          : { ...this.#state, trouble: absenceWords(looked) };
    } catch (cause) {
      this.#state = { ...this.#state, trouble: troubleWords(cause) };
    }
  }

  #keys(text: string): void {
    for (const key of keysOf(text)) {
      const { state, effect } = pressed(this.#state, key, this.#terminal.size());
      this.#state = state;
      if (effect !== null) this.#do(effect);
    }
    this.#draw();
  }

  #draw(): void {
    if (!this.#left.signal.aborted) this.#terminal.draw(topScreen(this.#state, this.#terminal.size()));
  }

  #do(effect: TopEffect): void {
    switch (effect.kind) {
      case 'quit':
        return this.#left.abort();
      case 'redraw':
        return this.#terminal.forget();
      case 'leave':
        this.#filling?.abort();
        return;
      case 'open':
        return this.#fill((signal) => this.#open(effect.run, signal));
      case 'follow':
        return this.#fill((signal) => this.#follow(effect.run, signal));
      case 'end':
        void this.#end(effect.run);
    }
  }

  /** Has the view filled that was just opened; what fills another one ends. */
  #fill(work: (signal: AbortSignal) => Promise<void>): void {
    this.#filling?.abort();
    this.#filling = new AbortController();
    const { signal } = this.#filling;
    work(signal).catch((cause: unknown) => {
      if (!signal.aborted) this.#note(troubleWords(cause));
    });
  }

  async #open(run: number, signal: AbortSignal): Promise<void> {
    const story = await this.#client.run(run);
    const lines = storyLines(story, this.#context.clock.now(), this.#terminal.size().columns);
    this.#show(signal, (view) => ({ ...view, lines: this.#fold(lines) }));
  }

  async #follow(run: number, signal: AbortSignal): Promise<void> {
    for await (const lines of followRun(this.#client, run, signal)) {
      this.#show(signal, (view) => ({
        ...view,
        title: `run ${run}: standard output and error`,
        lines: this.#fold(lines),
      }));
    }
    this.#show(signal, (view) => ({ ...view, title: `${view.title}; it has ended` }));
  }

  /** No wider than the terminal is now. */
  #fold(lines: readonly string[]): string[] {
    const { columns } = this.#terminal.size();
    return lines.flatMap((line) => folded(line, columns));
  }

  #show(signal: AbortSignal, change: (view: PagesView) => PagesView): void {
    const { view } = this.#state;
    if (signal.aborted || view.kind === 'list') return;
    this.#state = { ...this.#state, view: change(view) };
    this.#draw();
  }

  async #end(run: number): Promise<void> {
    try {
      const [answer] = await this.#client.kill({ runs: [run], by: `orca top by ${doerOf(this.#context)}`, now: false });
      if (answer !== undefined) this.#note(killWords(answer));
    } catch (cause) {
      this.#note(troubleWords(cause));
    }
  }

  #note(notice: string): void {
    this.#state = { ...this.#state, notice };
    this.#draw();
  }
}
