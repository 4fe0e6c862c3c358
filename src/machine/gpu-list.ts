/** A device that runs may be given. */
export interface Gpu {
  /** What `CUDA_VISIBLE_DEVICES` takes: its UUID, else its index. */
  readonly id: string;
  /** As `nvidia-smi` numbers it; where one is divided (MIG) its place among all devices and parts. */
  readonly index: number;
  readonly uuid: string | null;
  /** Empty where nobody says. */
  readonly name: string;
  /** The UUID of the whole device, which processes are told by; null where none is known. */
  readonly whole: string | null;
}

const deviceLine = /^GPU (\d{1,4}): (.*?)(?: \(UUID: ([^)\s]*)\))?\s*$/;
const partLine = /^\s+MIG (\S+)\s+Device\s+\d{1,4}: \(UUID: (MIG-[0-9A-Za-z/-]+)\)\s*$/;

/**
 * The devices in the output of `nvidia-smi -L`. Of one that is divided (MIG) its parts count, each as a device, and the whole does not: a
 * program that is given the whole gets its first part only. Lines that are neither, such as warnings, are left out.
 */
export const parseGpuList = (text: string): Gpu[] => {
  const devices: { readonly gpu: Gpu; readonly parts: Gpu[] }[] = [];
  for (const line of text.split('\n')) {
    const [, number, name, uuid] = deviceLine.exec(line) ?? [];
    if (number !== undefined && name !== undefined) {
      const whole = uuid?.startsWith('GPU-') === true ? uuid : null;
      const index = Number(number);
      devices.push({ gpu: { id: whole ?? String(index), index, uuid: whole, name: name.trim(), whole }, parts: [] });
      continue;
    }
    const [, profile, id] = partLine.exec(line) ?? [];
    const device = devices.at(-1);
    if (profile === undefined || id === undefined || device === undefined) continue;
    const { index, whole, name: of } = device.gpu;
    device.parts.push({ id, index, uuid: id, name: `${of} MIG ${profile}`, whole });
  }
  const found = devices.flatMap(({ gpu, parts }) => (parts.length === 0 ? [gpu] : parts));
  const once = found.filter(({ id }, at) => found.findIndex((other) => other.id === id) === at);
  return devices.some(({ parts }) => parts.length > 0) ? once.map((gpu, index) => ({ ...gpu, index })) : once;
};
