/** Why output of a start is not in its log: the stage was full, its file was removed from there, or its log was no more the one that the command wrote to. */
export type LostKind = 'stage-full' | 'stage-removed' | 'log-removed';

export interface LostOutput {
  readonly kind: LostKind;
  /** Where it would be. */
  readonly folder: string;
  /** Which of its outputs, in words; of a full stage nobody knows. */
  readonly streams: readonly string[];
}

const setting = '(ORCA_LOG_STAGE)';

/** What a start's text says of it, as the end of a sentence. */
export const lostOutputWords = ({ kind, folder, streams }: LostOutput): string => {
  const what = streams.join(' and ');
  switch (kind) {
    case 'stage-full':
      return `${folder} ${setting} was full then: of its output some may be lost`;
    case 'stage-removed':
      return `${folder} ${setting} has its ${what} no more, which is lost: removed while it ran`;
    case 'log-removed':
      return `${folder} has its ${what} no more, which is lost: deleted, moved or replaced while it ran`;
  }
};
