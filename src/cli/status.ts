import { daemonSilent } from '../client/look.ts';
import { pausedWords } from '../runs/paused.ts';
import { formatDuration } from '../units/format-duration.ts';
import { formatSize } from '../units/format-size.ts';
import { visibleText } from '../units/visible-text.ts';
import type { DaemonJson } from '../wire/api.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { gpusWords, othersWords } from './machine-words.ts';
import { groupLines } from './group-story.ts';
import { handleOf } from './handle.ts';
import { logsLine } from './logs-finding.ts';
import { openClient } from './open-client.ts';
import { printJson, printLines } from './say.ts';
import { stageLine } from './stage-words.ts';
import { storyLines } from './story.ts';

/** `orca status [ID]`: the whole story of one run or group, or how the daemon is doing; the latter starts none. */
export async function status(context: Context, id: string | undefined, options: { json?: boolean }): Promise<number> {
  if (id === undefined) return overview(context, options.json === true);
  const handle = handleOf(id);
  if ('group' in handle) return groupStatus(context, handle.group, options.json === true);
  const run = await openClient(context).run(handle.run);
  if (options.json === true) await printJson(context.out, run);
  else await printLines(context.out, storyLines(run, context.clock.now(), context.out.columns));
  return exitStatus.ok;
}

async function groupStatus(context: Context, number: number, json: boolean): Promise<number> {
  const group = await openClient(context).group(number);
  if (json) await printJson(context.out, group);
  else await printLines(context.out, groupLines(group, context.clock.now()));
  return exitStatus.ok;
}

async function overview(context: Context, json: boolean): Promise<number> {
  const client = openClient(context);
  const { state } = client.place;
  const looked = await client.look();
  if (looked.kind === 'silent') throw daemonSilent(state, looked.pid);
  if (looked.kind === 'none') {
    if (json) await printJson(context.out, { daemon: null, down: looked.down });
    else await printLines(context.out, [noDaemonWords(state, looked.down)]);
  } else if (json) await printJson(context.out, { daemon: looked.answer });
  else await printLines(context.out, overviewLines(looked.answer, context.clock.now()));
  return exitStatus.ok;
}

export function noDaemonWords(state: string, down: boolean): string {
  const next = down
    ? 'after `orca down` nothing is started until `orca up`'
    : 'the next command that needs one starts it';
  return `no daemon runs for ${visibleText(state)}; ${next}`;
}

export function overviewLines(daemon: DaemonJson, now: number): string[] {
  const { capacity, runs, keeper } = daemon;
  const budget = formatSize(capacity.memory_bytes - capacity.reserve_bytes);
  const why = keeper.why === null ? '' : ` (${visibleText(keeper.why)})`;
  const paused =
    daemon.paused == null ? '' : `; ${pausedWords(daemon.paused, now)}; \`orca resume\` lets it start runs again`;
  return [
    `daemon   ${daemon.version}, pid ${daemon.pid}, for ${formatDuration(now - daemon.started_at)}`,
    `program  ${visibleText(daemon.program)}`,
    `state    ${visibleText(daemon.state)}`,
    `keeper   ${keeper.kind}${why}`,
    `budget   ${capacity.cpus} cpus, ${budget} of ${formatSize(capacity.memory_bytes)} memory`,
    ...gpuLines(daemon),
    ...resourceLines(daemon),
    ...othersLines(daemon),
    ...stageLines(daemon),
    ...logsLines(daemon),
    `runs     ${runs.active} running, ${runs.queued} queued${daemon.down ? '; down: nothing is started until `orca up`' : ''}${visibleText(paused)}`,
  ];
}

/** Only where there are any, or nobody can say. */
const gpuLines = ({ gpus = { devices: [], trouble: null } }: DaemonJson): string[] => {
  const trouble = gpus.trouble === null ? [] : [visibleText(gpus.trouble)];
  const devices = gpus.devices.length === 0 ? [] : [gpusWords(gpus.devices)];
  const said = [...devices, ...trouble].join('; ');
  return said === '' ? [] : [`gpus     ${said}`];
};

const resourceLines = ({ resources = [] }: DaemonJson): string[] => {
  const words = resources.map(
    ({ name, count, held }) =>
      `${name} ${Math.max(0, count - held)} of ${count} free${held > count ? ` (${held} held)` : ''}`,
  );
  return words.length === 0 ? [] : [`resource ${words.join(', ')}`];
};

const stageLines = ({ stage }: DaemonJson): string[] => {
  const line = stageLine(stage);
  return line === null ? [] : [`stage    ${visibleText(line)}`];
};

const logsLines = ({ logs }: DaemonJson): string[] => {
  const line = logsLine(logs);
  return line === null ? [] : [`logs     ${visibleText(line)}`];
};

const othersLines = ({ others = [] }: DaemonJson): string[] =>
  others.length === 0 ? [] : [`others   ${othersWords(others)}`];
