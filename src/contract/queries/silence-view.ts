/** What the compute worker says of silences, from the rows of this device. */

/** What can be silenced. */
export const SILENCED_KINDS = ['check', 'config', 'component'] as const;
export type SilencedKind = (typeof SILENCED_KINDS)[number];

/** What a silence would have done. */
export interface SilencePreview {
  /** False until everything was read that it is worked out of. */
  isLoaded: boolean;
  /** Notifications of the days before that would have been hidden, out of so many. */
  hidden: number;
  total: number;
  /** Things that it covers now. */
  covers: Record<SilencedKind, number>;
  /** Things and notifications for which its expression can't be worked out on this device. */
  unknown: number;
}

/** Until when each thing is silent, ms, by id; things that aren't silent are not there. */
export type SilencedUntil = Readonly<Record<string, number>>;
