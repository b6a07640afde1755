/**
 * When a message goes by itself, and when it is held together with others: the first ones at once, then digests, ever
 * slower as the limit of a rule comes near, so that the limit is never what hides a failure. Pure; counts and times are
 * handed in.
 */

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** Messages of a rule in a sliding window (schema §7.1). */
export const RATE_LIMIT = 50;
export const RATE_WINDOW_MS = 4 * 60 * MINUTE_MS;
/** Messages about one thing each that a recipient gets in a minute; what follows comes together. */
export const FLOOD_FIRST = 5;
export const FLOOD_WINDOW_MS = MINUTE_MS;
/** From here on nothing goes alone. */
export const NEAR_LIMIT = 40;
/** Time for the rest of a flood to come. */
export const DIGEST_AFTER_MS = 5 * SECOND_MS;
export const DIGEST_EVERY_MS = 5 * MINUTE_MS;
export const DIGEST_SLOWLY_MS = 30 * MINUTE_MS;
/** Time for what is above to be found down, too. */
export const PARENT_WAIT_MS = 5 * SECOND_MS;
/** A group without a time to wait is closed after this. */
export const GROUP_AFTER_MS = 10 * SECOND_MS;
/** Changes within an hour from which something is said to be flapping. */
export const FLAPPING_CHANGES = 6;
export const FLAPPING_WINDOW_MS = 60 * MINUTE_MS;

export interface HoldFacts {
  nowMs: number;
  /** Messages of the rule within RATE_WINDOW_MS, to anybody. */
  sentOfRule: number;
  /** To this recipient: about one thing each within FLOOD_WINDOW_MS, and when the last digest was made. */
  singles: number;
  lastDigestMs: number | null;
  /** Whether a digest, or this group, is open already: joining it is no new message. */
  isDigestOpen: boolean;
  isGroupOpen: boolean;
  /** Changes of this thing within FLAPPING_WINDOW_MS. */
  changes: number;
  hasGroup: boolean;
  waitMs: number;
  /** Whether it may turn out to be down because of something above it. */
  mayBeBelow: boolean;
}

export type Hold =
  | { kind: 'single' | 'digest' | 'group'; dueMs: number; isFlapping: boolean }
  /** The rule's limit is reached. */
  | { kind: 'limited' };

function digestDueMs({ nowMs, sentOfRule, lastDigestMs, waitMs }: HoldFacts): number {
  const soon = nowMs + Math.max(DIGEST_AFTER_MS, waitMs);
  if (lastDigestMs === null) return soon;
  const paceMs = sentOfRule >= NEAR_LIMIT ? DIGEST_SLOWLY_MS : DIGEST_EVERY_MS;
  return Math.max(soon, lastDigestMs + paceMs);
}

/** The same in quiet hours: all that comes in them comes together at their end. */
export function holdQuietly({ sentOfRule, isDigestOpen, changes }: HoldFacts, untilMs: number): Hold {
  if (!isDigestOpen && sentOfRule >= RATE_LIMIT) return { kind: 'limited' };
  return { kind: 'digest', dueMs: untilMs, isFlapping: changes >= FLAPPING_CHANGES };
}

/** Which message an event becomes part of, and when that goes at the earliest. */
export function holdOf(facts: HoldFacts): Hold {
  const { nowMs, sentOfRule, singles, changes, hasGroup, waitMs, mayBeBelow } = facts;
  const isFlapping = changes >= FLAPPING_CHANGES;
  const isInOpenGroup = hasGroup && facts.isGroupOpen;
  const isFlood = (singles >= FLOOD_FIRST && !hasGroup) || (sentOfRule >= NEAR_LIMIT && !isInOpenGroup);
  if (isFlapping || isFlood) {
    if (!facts.isDigestOpen && sentOfRule >= RATE_LIMIT) return { kind: 'limited' };
    return { kind: 'digest', dueMs: digestDueMs(facts), isFlapping };
  }
  if (hasGroup) return { kind: 'group', dueMs: nowMs + (waitMs > 0 ? waitMs : GROUP_AFTER_MS), isFlapping };
  return { kind: 'single', dueMs: nowMs + Math.max(waitMs, mayBeBelow ? PARENT_WAIT_MS : 0), isFlapping };
}
