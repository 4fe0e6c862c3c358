/** `f_type` of statfs(2) for file systems on which SQLite's locks or our renames do not hold between machines. */
const types: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB 2'],
  [0x01021997, '9p'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
]);

/** The name of a network file system by its type, null for any other. */
export function networkFileSystem(type: number): string | null {
  // Node gives the type signed on some systems.
  return types.get(type >>> 0) ?? null;
}
