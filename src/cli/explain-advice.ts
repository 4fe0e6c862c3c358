import { formatSize } from '../units/format-size.ts';
import { groupHandle } from '../runs/handle.ts';
import type { RunJson } from '../wire/api.ts';

/** What a person may do about a run that is over; null for nothing. `unmet`: of what it came after, that which did not succeed as it had to. */
export function adviceOf(run: RunJson, unmet: RunJson['after'] = run.after): string | null {
  switch (run.state) {
    case 'succeeded':
      return smaller(run);
    case 'out-of-memory':
      return bigger(run);
    case 'failed':
      return failed(run, unmet);
    case 'timed-out':
      return `submit it again with a longer --timeout; \`orca logs ${run.id} --tail 50\` shows how far it came`;
    case 'lost':
      return `nobody saw its end: look at what it left before \`orca retry ${run.id}\`; --retries does that by itself`;
    case 'killed':
      return `\`orca retry ${run.id}\` runs it again`;
    case 'queued':
    case 'starting':
    case 'running':
      return null;
  }
}

/** What never ran wrote nothing. */
function failed({ id, starts, evidence }: RunJson, unmet: RunJson['after']): string {
  if (starts.some((start) => start.started_at !== null))
    return `\`orca logs ${id} --tail 50\` shows what it wrote last; \`orca retry ${id}\` runs it again`;
  if (evidence !== 'dependency' || unmet.length === 0) return `\`orca retry ${id}\` tries it again`;
  const others = unmet.map((one) => ('run' in one ? String(one.run) : groupHandle(one.group)));
  return others.length === 1
    ? `\`orca retry ${others.join('')} ${id}\` runs both again, one after the other; name before them what ${others.join('')} itself came after, where that did not succeed`
    : `name it beside what did not succeed (${others.join(', ')}) in one \`orca retry\`: it comes after that again`;
}

/** Half of what was asked for was never used. */
function smaller({
  request,
  peak_rss_bytes: peak,
  oom_peak_bytes: oomPeak,
  starts_count: starts,
}: RunJson): string | null {
  const asked = request.memory_min_bytes;
  if (asked === null || peak === null || oomPeak !== null || starts !== 1 || peak * 2 >= asked) return null;
  return `it used ${formatSize(peak)} of the ${formatSize(asked)} that were kept for it: a smaller --memory lets more run beside it`;
}

function bigger({ id, request, placement, starts }: RunJson): string {
  const limit = starts.at(-1)?.limit_bytes ?? request.memory_max_bytes;
  const isLowered = limit !== null && request.memory_min_bytes !== null && limit < request.memory_min_bytes;
  if (placement === 'control' || isLowered)
    return 'give it another --placement, or raise the cap of control (ORCA_CONTROL_MEMORY_MB): no request gets more there';
  if (limit === null) return `submit it again with --memory; \`orca metrics ${id}\` shows its memory over time`;
  const more = Math.ceil((limit * 1.5) / mib) * mib;
  return `submit it again with --memory ${range(more, more * 2)}; \`orca metrics ${id}\` shows its memory over time`;
}

const mib = 1_048_576;
const range = (least: number, most: number): string =>
  [least, most].map((bytes) => formatSize(bytes).replace(' ', '')).join('..');
