/** A process that computes on a device. */
export interface GpuProcess {
  /** The UUID that it is told by: a whole device's, or that of a part. */
  readonly gpu: string;
  readonly pid: number;
  /** As the driver knows it; empty where it does not say. */
  readonly name: string;
}

/** What is asked for: `nvidia-smi` with these arguments. */
export const gpuProcessesArgs: readonly string[] = [
  '--query-compute-apps=gpu_uuid,pid,process_name,used_memory',
  '--format=csv,noheader,nounits',
];

/**
 * Its output. A name may hold commas, so it is what lies between the pid and the last field. What the driver does not tell stands in brackets
 * (`[N/A]`, `[Not Found]`, `[Insufficient Permissions]`); lines without a pid, such as `No running processes found`, name nobody.
 */
export const parseGpuProcesses = (text: string): GpuProcess[] =>
  text.split('\n').flatMap((line) => {
    const [, gpu, pid, name] = /^\s*((?:GPU|MIG)-[0-9A-Za-z/-]+),\s*([1-9]\d{0,9}),\s*(.*),[^,]*$/.exec(line) ?? [];
    if (gpu === undefined || pid === undefined || name === undefined) return [];
    return [{ gpu, pid: Number(pid), name: /^\[.*\]$/.test(name.trim()) ? '' : name.trim() }];
  });
