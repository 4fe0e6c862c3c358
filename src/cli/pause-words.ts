import { pausedWords } from '../runs/paused.ts';
import { shellWord } from '../units/shell-words.ts';
import type { PauseAnswer, PausedAnswer } from '../wire/api.ts';
import { handlesWords, namesNone, type Chosen, type TagOption } from './chosen.ts';
import { exitStatus } from './exit-status.ts';

type Verb = 'pause' | 'resume';

/** What `orca pause` did: about the queue, or a line for each run that was named and one for all others. */
export function pauseLines(chosen: Chosen, answer: PauseAnswer, now: number): string[] {
  if (!namesNone(chosen)) return runLines(chosen, answer, 'pause');
  const { queue, active } = answer;
  if (queue === null) return ['the queue is not paused any more: somebody resumed it'];
  const goOn = active === 0 ? '' : `; ${active === 1 ? '1 run goes' : `${active} runs go`} on`;
  return [`the queue is ${pausedWords(queue, now)}${goOn}; \`orca resume\` lets it start runs again`];
}

/** What `orca resume` did. */
export function resumeLines(chosen: Chosen, answer: PauseAnswer, now: number): string[] {
  const { queue, held } = answer;
  if (namesNone(chosen)) {
    const still =
      held === 0 ? '' : `; ${held === 1 ? '1 run is' : `${held} runs are`} still held back by number or tag`;
    return [`the queue starts runs${still}`];
  }
  const whole =
    queue === null ? [] : [`the whole queue is still ${pausedWords(queue, now)}; \`orca resume\` ends that`];
  return [...runLines(chosen, answer, 'resume'), ...whole];
}

/** Refused when a run that was named could not be held back. */
export function pauseStatus(chosen: Chosen, { runs }: PauseAnswer, verb: Verb): number {
  const named = new Set(chosen.runs);
  const results = new Set(runs.filter(({ run }) => named.has(run)).map(({ result }) => result));
  if (results.has('unknown')) return exitStatus.unknownRun;
  const refused = verb === 'pause' && (['active', 'inside', 'final'] as const).some((result) => results.has(result));
  return refused ? exitStatus.refused : exitStatus.ok;
}

/** As it was typed, but for the options that say more than which runs. */
export function comeBackWords(handles: readonly string[], { tag = [] }: TagOption): string {
  const words = [...handles, ...tag.flatMap((one) => ['--tag', shellWord(one)])];
  const typed = words.length === 0 ? '' : ` ${words.join(' ')}`;
  return `no longer waiting; what is held back stays so. \`orca pause${typed} --drain\` waits again, \`orca resume${typed}\` lets it start.`;
}

function runLines(chosen: Chosen, { runs }: PauseAnswer, verb: Verb): string[] {
  const named = new Set(chosen.runs);
  const lines = runs.filter(({ run }) => named.has(run)).map((answer) => answerWords(answer, verb));
  const of = handlesWords(chosen);
  if (of === '') return lines;
  const others = runs.filter(({ run }) => !named.has(run));
  const count = (...results: PausedAnswer['result'][]): number =>
    others.filter(({ result }) => results.includes(result)).length;
  const counted = (many: number, one: string, more: string): string[] =>
    many === 0 ? [] : [`${many} ${many === 1 ? one : more}`];
  const parts =
    verb === 'pause'
      ? [
          ...counted(count('paused'), 'is held back', 'are held back'),
          ...counted(count('unchanged'), 'was held back already', 'were held back already'),
          ...counted(count('active', 'inside'), 'runs already and goes on', 'run already and go on'),
        ]
      : [...counted(count('resumed'), 'may start again', 'may start again')];
  const none = verb === 'pause' ? `nothing of ${of} waits or runs` : `nothing of ${of} is held back`;
  return [...lines, parts.length === 0 ? none : `${of}: ${parts.join(', ')}`];
}

function answerWords({ run, result, state }: PausedAnswer, verb: Verb): string {
  switch (result) {
    case 'paused':
      return `run ${run} is held back; \`orca resume ${run}\` lets it start`;
    case 'resumed':
      return `run ${run} may start again`;
    case 'unchanged':
      return `run ${run} ${verb === 'pause' ? 'was held back already' : 'is not held back'}`;
    case 'active':
      return verb === 'pause'
        ? `run ${run} runs already, and only what waits can be held back; \`orca kill ${run}\` would end it`
        : `run ${run} is not held back: it runs`;
    case 'inside':
      return `run ${run} works inside another run, which waits for it: it is not held back`;
    case 'final':
      return `run ${run} is over already (${state ?? 'ended'})`;
    case 'unknown':
      return `there is no run ${run}; \`orca list --all\` shows the runs that there are`;
  }
}
