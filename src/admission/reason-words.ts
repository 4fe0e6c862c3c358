import { slotsReason } from '../runs/control-reasons.ts';
import { damagedWords } from '../runs/damaged-words.ts';
import { pausedWords } from '../runs/paused.ts';
import { runnerReason } from '../runs/placement.ts';
import { formatSize } from '../units/format-size.ts';
import { visibleText } from '../units/visible-text.ts';
import type { RunId } from '../units/brands.ts';
import type { Fact } from './facts.ts';
import type { Never } from './never-fits.ts';
import type { ProcessName } from './machine-state.ts';

type FactOf<Kind extends Fact['kind']> = Extract<Fact, { kind: Kind }>;

/** What keeps a run, in a person's words; null when nothing does. */
export const reasonWords = (facts: readonly Fact[]): string | null => {
  const words = facts.map((fact, at) => {
    const said = factWords(fact, at === 0);
    return at > 0 && facts[at - 1]?.kind !== 'behind' ? `also ${said}` : said;
  });
  return words.length === 0 ? null : words.join('; ');
};

/** `whole`: it stands alone; else it is one of several, and who holds what is not said again. */
const factWords = (fact: Fact, whole: boolean): string => {
  switch (fact.kind) {
    case 'down':
      return 'orca is down: `orca up` lets it start runs again';
    case 'paused':
      return heldBack(fact);
    case 'damaged':
      return damagedWords(fact);
    case 'after':
      return `comes after ${fact.names.slice(0, 3).join(', ')}${more(fact.names.length - 3)}`;
    case 'back-off':
      return `its next start is due in ${Math.ceil(fact.ms / 1000)} s`;
    case 'never':
      return `can never start here: ${neverWords(fact.never)}`;
    case 'pressure':
      return `${fact.pressure.of === 'io' ? 'the disks are' : 'memory is'} under pressure: programs wait for ${fact.pressure.of === 'io' ? 'them' : 'it'} ${Math.round(fact.pressure.percent)} % of the time, and nothing more is started over ${fact.pressure.most} %`;
    case 'control':
      return fact.words;
    case 'gpus-unknown':
      return `needs a GPU: ${fact.why}`;
    case 'cpus':
      return `needs ${cores(fact.needs)}; ${cores(fact.free)} of ${cores(fact.of)} free${holders(fact, whole)}`;
    case 'memory':
      return `needs ${formatSize(fact.needs)} of memory${sourceWords(fact.source)}; ${formatSize(fact.free)} of ${formatSize(fact.of)} free${holders(fact, whole)}`;
    case 'others':
      return othersWords(fact, whole);
    case 'machine-memory':
      return machineWords(fact, whole);
    case 'gpus':
      return gpuWords(fact, whole);
    case 'lock':
      return `needs the lock ${visibleText(fact.name)}${holders(fact, true)}`;
    case 'resource':
      return `needs ${fact.needs} of ${visibleText(fact.name)}; ${fact.free} of ${fact.of} free${holders(fact, whole)}`;
    case 'group':
      return `at most ${fact.of} of group ${fact.name} may run at once${holders(fact, whole)}`;
    case 'slot':
      return `${slotsReason(fact.of - fact.free, fact.of) ?? `waits for a slot on ${fact.placement}`}${holders(fact, whole)}`;
    case 'placement':
      return runnerReason(fact.placement, 'local') ?? `nothing here starts runs on ${visibleText(fact.placement)}`;
    case 'delays':
      return `would fit, but could keep run ${fact.head} waiting for longer; ${numberWords(fact)}`;
    case 'behind':
      return `${numberWords(fact)}, behind run ${fact.first}`;
  }
};

const numberWords = ({ position, of }: FactOf<'behind'> | FactOf<'delays'>): string =>
  `is number ${count(position)} of ${count(of)} in the queue`;

const heldBack = ({ paused, ms, run }: FactOf<'paused'>): string => {
  const said = pausedWords(paused, paused.at + ms);
  return run === null
    ? `the queue is ${said}; \`orca resume\` lets it go on`
    : `is ${said}; \`orca resume ${run}\` lets it start`;
};

export const neverWords = (never: Never): string => {
  switch (never.kind) {
    case 'cpus':
      return `it needs ${cores(never.asked)}, and there ${never.most === 1000 ? 'is' : 'are'} ${cores(never.most)}`;
    case 'memory':
      return `it needs ${formatSize(never.asked)} of memory, and runs may have ${formatSize(never.most)}`;
    case 'gpus':
      return `it needs ${gpus(never.asked)}, and there ${never.most === 1 ? 'is' : 'are'} ${gpus(never.most)}`;
    case 'resource':
      return never.most === 0
        ? `it needs ${visibleText(never.name)}, and there is none (\`[resources]\` in config.toml)`
        : `it needs ${never.asked} of ${visibleText(never.name)}, and there is ${never.most}`;
  }
};

const othersWords = ({ needs, free, others, holders: own }: FactOf<'others'>, whole: boolean): string => {
  const largest = others.toSorted((a, b) => b.bytes - a.bytes || (a.user < b.user ? -1 : 1)).slice(0, 2);
  const who = largest.map(({ user, bytes }) => `${visibleText(user)} (${formatSize(bytes)})`).join(', ');
  const rest = more(others.length - largest.length);
  return `needs ${formatSize(needs)} of memory; ${formatSize(free)} free beside the runs of ${who}${rest}${holders({ holders: own }, whole)}`;
};

const machineWords = ({ needs, free, largest, holders: own }: FactOf<'machine-memory'>, whole: boolean): string => {
  const outside =
    largest === null
      ? ''
      : `; the largest program besides runs is ${processWords(largest)} with ${formatSize(largest.residentBytes)}`;
  return `needs ${formatSize(needs)} of memory, and the machine has ${formatSize(free)} to give${outside}${holders({ holders: own }, whole)}`;
};

const gpuWords = (fact: FactOf<'gpus'>, whole: boolean): string => {
  const used = fact.foreign.slice(0, 2).map(({ index, by }) => `; GPU ${index} is used by ${processWords(by)}`);
  return `needs ${gpus(fact.needs)}; ${fact.free} of ${fact.of} free${used.join('')}${holders(fact, whole)}`;
};

const processWords = ({ pid, user, name }: ProcessName): string =>
  `${visibleText(name)} (process ${pid} of ${visibleText(user)})`;

const sourceWords = (source: FactOf<'memory'>['source']): string => {
  if (source === 'share') return ' (its share: it has no --memory)';
  return source === 'learned' ? ' (what it needed before)' : '';
};

const cores = (milli: number): string => `${milli / 1000} ${milli === 1000 ? 'core' : 'cores'}`;
const gpus = (number: number): string => `${number} ${number === 1 ? 'GPU' : 'GPUs'}`;
const more = (number: number): string => (number > 0 ? ` and ${number} more` : '');
const count = (number: number): string => number.toLocaleString('en-US');

const holders = ({ holders: all }: { readonly holders: readonly RunId[] }, whole: boolean): string => {
  if (all.length === 0 || !whole) return '';
  return `; held by ${all.length === 1 ? 'run' : 'runs'} ${all.slice(0, 3).join(', ')}${more(all.length - 3)}`;
};
