import type { Usage } from './mark.ts';

/** Usage as it is stored and sent: null for what is not known. */
export interface UsageFields {
  readonly peak_rss_bytes: number | null;
  readonly cpu_seconds: number | null;
  readonly peak_cpus: number | null;
}

export const usageFields = ({ peakRssBytes, cpuSeconds, peakCpus }: Usage): UsageFields => ({
  peak_rss_bytes: peakRssBytes,
  cpu_seconds: cpuSeconds,
  peak_cpus: peakCpus,
});

export const usageJson = (usage: Usage): string => JSON.stringify(usageFields(usage));

/** `usageJson`'s usage back, from a parsed value; what is missing, negative or no number is not known. */
export const usageOf = (value: unknown): Usage => {
  const fields: Readonly<Record<string, unknown>> =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  return {
    peakRssBytes: amount(fields['peak_rss_bytes']),
    cpuSeconds: amount(fields['cpu_seconds']),
    peakCpus: amount(fields['peak_cpus']),
  };
};

const amount = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
