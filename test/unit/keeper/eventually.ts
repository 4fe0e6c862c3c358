/** Waits until `look` gives something other than nothing or false; fails after five seconds with what it waited for. */
export async function eventually<T>(what: string, look: () => T | null | undefined | false): Promise<T> {
  const deadline = performance.now() + 5000;
  for (;;) {
    const seen = look();
    if (seen !== null && seen !== undefined && seen !== false) return seen;
    if (performance.now() > deadline) throw new Error(`never seen within 5 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
