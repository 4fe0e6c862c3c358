const setting = '(ORCA_LOG_STAGE)';

/** What a start's text says of output that did not get from the stage into its log, as the end of a sentence. */
export const lostOutputWords = {
  full: (folder: string): string => `${folder} ${setting} was full then: of its output some may be lost`,
  gone: (folder: string, streams: readonly string[]): string =>
    `${folder} ${setting} has its ${streams.join(' and ')} no more, which is lost: removed while it ran, unless ORCA_LOG_STAGE was another folder then`,
} as const;

/** Whether a text says so. */
export const saysLostOutput = (text: string | null): boolean =>
  text !== null && (text.includes(`${setting} was full then: `) || text.includes(`${setting} has its `));
