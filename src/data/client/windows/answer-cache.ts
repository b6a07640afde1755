import type { FirstWindow } from '../../../contract/first-window.ts';

/** The cached answers to one query, for one that shows them. */
export interface AnswerCache<Args, Patch> {
  /** Null when there is none that can be shown. */
  read: (args: Args) => FirstWindow<Patch> | null;
  /** The worker has answered this; its answer is cached before long. */
  note: (args: Args) => void;
  /** Something else is asked. */
  drop: () => void;
  /** Calls when nothing that was read may be shown any longer; returns how to stop. */
  onForget: (forget: () => void) => () => void;
  /** Calls when there may be an answer where there was none; returns how to stop. */
  onNews: (look: () => void) => () => void;
}

/** For what is not cached. */
export const NO_CACHE: AnswerCache<unknown, never> = {
  read: () => null,
  note: () => {},
  drop: () => {},
  onForget: () => () => {},
  onNews: () => () => {},
};
