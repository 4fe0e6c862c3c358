const mb = 1048576;
const gb = 1024 * mb;

/**
 * A size as people read it: MB (MiB) in whole numbers, GB from 10 GB with one decimal where it has one
 * (seed 003, `bytes_text`). Below 10 MB one decimal is kept, so that a small size is not 0.
 */
export const formatSize = (size: number): string => {
  if (!Number.isFinite(size)) return 'unknown';
  if (size >= 10 * gb) return `${oneDecimal(size / gb)} GB`;
  if (size >= 10 * mb) return `${Math.round(size / mb)} MB`.replace('10240 MB', '10 GB');
  return size > 0 ? `${oneDecimal(Math.max(size / mb, 0.1))} MB` : '0 MB';
};

/** The size of what is on a disk: as above, and below 0.1 MB in KB or bytes. */
export const formatFileSize = (size: number): string => {
  if (size < 1024) return `${size} ${size === 1 ? 'byte' : 'bytes'}`;
  return size < mb / 10 ? `${Math.round(size / 1024)} KB` : formatSize(size);
};

/** A size as `--memory` takes it: exact, in the largest unit that divides it; rounded up to a whole KB. */
export const sizeArgument = (size: number): string => {
  if (size % gb === 0) return `${size / gb}GB`;
  if (size % mb === 0) return `${size / mb}MB`;
  return `${Math.ceil(size / 1024)}KB`;
};

const oneDecimal = (x: number): string => String(Math.round(x * 10) / 10);
