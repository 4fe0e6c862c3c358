const escape = 0x1b;
/** Longer ones are not taken for colours. */
const longest = 64;

/** `no`: it is none, with this byte; `more`: perhaps; `whole`: it ends with this byte. */
export type Progress = 'no' | 'more' | 'whole';

export const beginsInvisible = (byte: number): boolean => byte === escape;

/**
 * Whether `length` bytes, of which `last` is the newest and which began well, are a sequence that a terminal obeys without showing anything: ESC [ with
 * its parameters (colours, cursor), or ESC ( and a character set. `second` is the byte after ESC.
 */
export const invisibleProgress = (second: number, last: number, length: number): Progress => {
  if (length === 2) return second === 0x5b || second === 0x28 ? 'more' : 'no';
  if (second === 0x28) return 'whole';
  if (last >= 0x40 && last <= 0x7e) return 'whole';
  return last >= 0x20 && last <= 0x3f && length < longest ? 'more' : 'no';
};

export const withoutInvisible = (bytes: Uint8Array): Uint8Array =>
  // oxlint-disable-next-line no-control-regex
  Buffer.from(
    Buffer.from(bytes)
      .toString('latin1')
      .replace(/\x1b(?:\[[ -?]{0,61}[@-~]|\([^])/g, ''),
    'latin1',
  );
