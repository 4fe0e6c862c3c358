import { formatDuration } from '../units/format-duration.ts';
import { formatSize } from '../units/format-size.ts';
import { cpuText } from '../usage/usage-text.ts';
import type { StartJson } from '../wire/api.ts';

/** The figures that a daemon of an older version does not send. */
type Told = Partial<
  Pick<
    StartJson,
    | 'peak_source'
    | 'cpu_source'
    | 'kernel_peak_bytes'
    | 'kernel_cpu_seconds'
    | 'memory_stall_ms'
    | 'memory_stall_full_ms'
    | 'gap'
  >
>;

/** Who says what a start used, what the kernel counted itself, and whether somebody was there to look; empty for nothing. */
export const measuredWords = (start: Told): string => {
  const sources = [peakWords[start.peak_source ?? 'none'], cpuWords[start.cpu_source ?? 'none']].filter(Boolean);
  const kernel = kernelWords(start);
  return [
    ...(sources.length === 0 ? [] : [sources.join(', ')]),
    ...(kernel.length === 0 ? [] : [`by its cgroup: ${kernel.join(', ')}`]),
    ...(start.gap === true ? ['for a while no daemon was there to measure it: it may have used more'] : []),
  ].join('; ');
};

const peakWords = { samples: 'peak by samples', wait4: 'peak by wait4, of its largest process', none: '' };
const cpuWords = { samples: 'CPU by samples', wait4: 'CPU by wait4', none: '' };

function kernelWords(start: Told): string[] {
  const { kernel_peak_bytes: peak, kernel_cpu_seconds: cpu, memory_stall_ms: some, memory_stall_full_ms: full } = start;
  const whole = full == null || full === 0 ? '' : ` (all of it at once ${formatDuration(full)})`;
  return [
    ...(peak == null ? [] : [`peak ${formatSize(peak)} with its page cache`]),
    ...(cpu == null ? [] : [`CPU ${cpuText(cpu)}`]),
    ...(some == null || some === 0 ? [] : [`waited for memory ${formatDuration(some)}${whole}`]),
  ];
}
