/** `[####+...]`: a share as `#`, a larger one behind it as `+`. Anything that is there shows, and only what is full is full. */
export const bar = (share: number, width: number, behind = 0): string => {
  const cells = (part: number): number => {
    const exact = Math.max(0, part) * width;
    return Math.min(part >= 1 ? width : width - 1, exact > 0 ? Math.max(1, Math.floor(exact)) : 0);
  };
  const solid = cells(share);
  const shaded = Math.max(0, cells(behind) - solid);
  return `[${'#'.repeat(solid)}${'+'.repeat(shaded)}${'.'.repeat(width - solid - shaded)}]`;
};
