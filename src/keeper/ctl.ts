/** A line for a start's `ctl`. */
export type CtlRequest =
  | { readonly ask: 'ping' }
  | { readonly ask: 'term'; readonly mark: CtlMark; readonly graceMs: number; readonly text: string }
  | { readonly ask: 'kill'; readonly mark: CtlMark; readonly text: string };
export type CtlMark = 'user' | 'held' | 'cap' | 'none';

export type CtlAnswer =
  | { readonly answer: 'alive'; readonly pid: number }
  | { readonly answer: 'done' }
  /** The leader had ended already: nothing was marked and nothing signalled. */
  | { readonly answer: 'ended' }
  | { readonly answer: 'error'; readonly why: string }
  | { readonly answer: 'no keeper'; readonly why: string };
