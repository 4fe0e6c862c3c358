/** Why output of a start is not in its log: the stage, or the disk of the logs, was full; its file was removed from the stage; or its log was no more the one that the command wrote to. */
export type LostKind = 'stage-full' | 'stage-removed' | 'log-full' | 'log-removed';

export interface LostOutput {
  readonly kind: LostKind;
  /** Where it would be. */
  readonly folder: string;
  /** Which of its outputs, in words; of a full disk nobody knows. */
  readonly streams: readonly string[];
}

const setting = '(ORCA_LOG_STAGE)';

const removedWords = (streams: readonly string[]): string =>
  `${setting} has its ${streams.join(' and ')} no more, which is lost: removed while it ran`;

export const outputWords = { stdout: 'standard output', stderr: 'standard error' } as const;

/** A text with the words of `stage-removed`, when some of its outputs were put back into the stage and are in their logs by now; and whether all are. */
export const withFoundOutput = (text: string, found: readonly string[]): { text: string; isWhole: boolean } => {
  const { stdout, stderr } = outputWords;
  for (const lost of [[stdout, stderr], [stdout], [stderr]]) {
    const said = removedWords(lost);
    if (!text.includes(said)) continue;
    const missing = lost.filter((words) => !found.includes(words));
    const isWhole = missing.length === 0;
    const now = `${setting} had its ${lost.join(' and ')} no more when it was over: put back since, and in its log`;
    return { text: text.replace(said, () => (isWhole ? now : removedWords(missing))), isWhole };
  }
  return { text, isWhole: false };
};

/** What a start's text says of it, as the end of a sentence. */
export const lostOutputWords = ({ kind, folder, streams }: LostOutput): string => {
  switch (kind) {
    case 'stage-full':
      return `${folder} ${setting} was full then: of its output some may be lost`;
    case 'stage-removed':
      return `${folder} ${removedWords(streams)}`;
    case 'log-full':
      return `the disk of ${folder} was full then: of its output some may be lost`;
    case 'log-removed':
      return `${folder} has its ${streams.join(' and ')} no more, which is lost: deleted, moved or replaced while it ran`;
  }
};
