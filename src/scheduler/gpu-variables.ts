/**
 * What a start's environment says of its devices. One without any keeps what the caller had: it asked for nothing, and nothing is
 * taken from it. Numbers count as `nvidia-smi` has them only in the order of the bus.
 */
export const gpuVariables = (gpus: readonly string[]): string[] =>
  gpus.length === 0
    ? []
    : [
        `CUDA_VISIBLE_DEVICES=${gpus.join(',')}`,
        ...(gpus.some((id) => /^\d+$/.test(id)) ? ['CUDA_DEVICE_ORDER=PCI_BUS_ID'] : []),
      ];

/** The caller's environment, `NAME=value` each, without what `gpuVariables` says anew: of two with a name the first would count. */
export const withoutGpuVariables = (env: readonly string[], gpus: readonly string[]): readonly string[] => {
  const names = gpuVariables(gpus).map((entry) => entry.slice(0, entry.indexOf('=') + 1));
  return names.length === 0 ? env : env.filter((entry) => !names.some((name) => entry.startsWith(name)));
};
