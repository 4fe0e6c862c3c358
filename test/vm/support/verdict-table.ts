import type { Seen } from './bring-about.ts';

/** What is wrong with a verdict, in words; null when it is right. */
export const wrongIn = ({ death, run }: Seen): string | null => {
  const { verdict, evidence, code, signal } = death.truth;
  const differ = [
    [verdict, run.state],
    [evidence, run.evidence],
    [code ?? run.exit_code, run.exit_code],
    [signal ?? run.signal, run.signal],
    // A daemon that is killed just then may leave a start that never began.
    [1, run.starts.filter(({ state }) => state !== 'void').length],
  ].filter(([truth, said]) => truth !== said);
  if (differ.length === 0) return null;
  const what = differ.map(([truth, said]) => `${said} instead of ${truth}`).join(', ');
  return `run ${run.id}, ${death.kind} (${death.words.join(' ')} at ${death.limitMib} MB): ${what}: ${run.text}`;
};

const missed = ({ death, run }: Seen): boolean =>
  death.truth.verdict === 'out-of-memory' && run.state !== 'out-of-memory';
const falsely = ({ death, run }: Seen): boolean =>
  death.truth.verdict !== 'out-of-memory' && run.state === 'out-of-memory';

/** Kind by verdict: how many there were, how many were right, and every verdict that was given. */
export const verdictTable = (seen: readonly Seen[]): string => {
  const rows = [...Map.groupBy(seen, ({ death }) => death.kind)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([kind, those]) => [
      kind,
      String(those.length),
      String(those.filter((one) => !wrongIn(one)).length),
      said(those),
    ]);
  const right = seen.filter((one) => wrongIn(one) === null).length;
  const count = (test: (one: Seen) => boolean): number => seen.filter(test).length;
  const sum = `${count(falsely)} falsely out of memory, ${count(missed)} missed`;
  return aligned([['kind', 'runs', 'right', 'verdicts'], ...rows, ['all', String(seen.length), String(right), sum]]);
};

const said = (seen: readonly Seen[]): string =>
  [...Map.groupBy(seen, ({ run }) => [run.state, run.evidence].filter(Boolean).join('/'))]
    .map(([verdict, those]) => `${verdict} ${those.length}`)
    .toSorted()
    .join(', ');

const aligned = (rows: readonly (readonly string[])[]): string => {
  const width = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(width(column)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};
