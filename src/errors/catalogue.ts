import { daemonErrors } from './daemon-errors.ts';
import { logErrors } from './log-errors.ts';
import { requestErrors } from './request-errors.ts';
import { settingsErrors } from './settings-errors.ts';
import { stateErrors } from './state-errors.ts';
import { storeErrors } from './store-errors.ts';
import { typedErrors } from './typed-errors.ts';

/** The parts; no code is in two of them. */
export const parts = [
  typedErrors,
  requestErrors,
  logErrors,
  stateErrors,
  settingsErrors,
  daemonErrors,
  storeErrors,
] as const;

/** Every error that a person may meet, in one list; `docs/errors.md` is made from it. */
export const catalogue = {
  ...typedErrors,
  ...requestErrors,
  ...logErrors,
  ...stateErrors,
  ...settingsErrors,
  ...daemonErrors,
  ...storeErrors,
};

export type ErrorCode = keyof typeof catalogue;
