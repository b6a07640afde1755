/**
 * How a person is reached: which ways at first, which next while no device has confirmed, when quiet is wanted, and in
 * one line whether anything would arrive. Pure; times and facts are handed in.
 */
import { isInOperation, isTimeZone, localTime, minutesOf, type HoursWindow } from '../incident/rule-hours.ts';

/** With push: mail as well, only when no device has confirmed, or not at all. */
export const MAIL_CHOICES = ['always', 'unconfirmed', 'never'] as const;
export type MailChoice = (typeof MAIL_CHOICES)[number];

/** Hours in which only what is urgent comes through; clocks as `HH:MM` in the zone. */
export interface QuietHours {
  start: string;
  end: string;
  tz: string;
}

export interface ReachSettings {
  push: boolean;
  mail: MailChoice;
  quiet: QuietHours | null;
  /** Urgent messages come in quiet hours, too. */
  urgentPasses: boolean;
}

export const DEFAULT_REACH: ReachSettings = {
  push: true,
  mail: 'unconfirmed',
  quiet: null,
  urgentPasses: true,
};

/** So long a device has time to say that it showed a message (users.md, number 14). */
export const CONFIRM_MS = 60_000;

export interface ReachAbility {
  /** A browser of the person takes notifications. */
  hasBrowser: boolean;
  /** The server can send mail. */
  hasMail: boolean;
}

/** The ways that are begun at once; never none where there is one: nobody is left out by a setting for another way. */
export function firstWays(
  { push, mail }: ReachSettings,
  { hasBrowser, hasMail }: ReachAbility,
): ('mail' | 'push')[] {
  if (!push || !hasBrowser) return hasMail || !hasBrowser ? ['mail'] : ['push'];
  return mail === 'always' && hasMail ? ['mail', 'push'] : ['push'];
}

/** Where a pushed message is: first the device that was seen last, then the others, then mail. */
export const PUSH_STEPS = ['device', 'others', 'mail'] as const;
export type PushStep = (typeof PUSH_STEPS)[number];

/** What comes after a step that nobody has confirmed; null when there is nothing left. */
export function nextStep(
  step: PushStep,
  { mail }: Pick<ReachSettings, 'mail'>,
  { hasOthers, hasMail }: { hasOthers: boolean; hasMail: boolean },
): PushStep | null {
  if (step === 'device' && hasOthers) return 'others';
  return step !== 'mail' && hasMail && mail === 'unconfirmed' ? 'mail' : null;
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
/** A day on which the clock is put back; hours of a whole day never end by themselves. */
const LONGEST_MINUTES = DAY_MINUTES + 2 * 60;

const windowOf = ({ start, end, tz }: QuietHours): HoursWindow => ({ start, end, tz });

/**
 * When the quiet hours end in which a moment lies, ms; null where it lies in none, or they can't be read. By the clock of
 * the zone; where that is set on the way, minute by minute.
 */
export function quietUntilMs(quiet: QuietHours | null, nowMs: number): number | null {
  if (quiet === null || !isTimeZone(quiet.tz)) return null;
  const fromMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  const isQuiet = (minutes: number) => isInOperation([windowOf(quiet)], fromMs + minutes * MINUTE_MS);
  if (!isQuiet(0)) return null;
  const { minute } = localTime(fromMs, quiet.tz);
  const left = (minutesOf(quiet.end) - minute + DAY_MINUTES) % DAY_MINUTES;
  if (left > 0 && !isQuiet(left) && isQuiet(left - 1)) return fromMs + left * MINUTE_MS;
  for (let ahead = 1; ahead <= LONGEST_MINUTES; ahead += 1)
    if (!isQuiet(ahead)) return fromMs + ahead * MINUTE_MS;
  return null;
}

/** Until when a message waits for its person, ms; null when it goes now. */
export function heldUntilMs(
  { quiet, urgentPasses }: Pick<ReachSettings, 'quiet' | 'urgentPasses'>,
  { nowMs, isUrgent }: { nowMs: number; isUrgent: boolean },
): number | null {
  return isUrgent && urgentPasses ? null : quietUntilMs(quiet, nowMs);
}

const URGENT_PRIORITIES = new Set(['urgent', 'critical', 'emergency', 'p1']);
const URGENT_SEVERITIES = new Set(['critical', 'blocker']);

/** Whether a message is urgent: its rule says so, or the incident that it is about is severe. */
export function isUrgentMessage(
  properties: Readonly<Record<string, string>>,
  severity: string | null,
): boolean {
  const { urgent = '', priority = '' } = properties;
  if (urgent.toLowerCase() === 'true' || URGENT_PRIORITIES.has(priority.toLowerCase())) return true;
  return URGENT_SEVERITIES.has((severity ?? '').toLowerCase());
}

/** What is known of how somebody can be reached. */
export interface ReachFacts {
  devices: number;
  /** When a device of theirs last talked to the server, ISO; null for never. */
  seenAt: string | null;
  /** The last test: when it was sent, and whether a device showed it. */
  test: { at: string; isShown: boolean } | null;
  settings: ReachSettings;
  hasAddress: boolean;
  hasMail: boolean;
}

export type ReachVerdict = 'yes' | 'untested' | 'doubtful' | 'no';

const LONG_AGO_MS = 7 * 24 * 60 * MINUTE_MS;

/**
 * Whether anything would arrive. `untested`: a device is there that nobody has seen show a message; `doubtful`: the
 * last test was not confirmed, or no device was seen for a week; `no`: there is no way.
 */
export function reachVerdict(facts: ReachFacts, nowMs: number): ReachVerdict {
  const byPush = facts.devices > 0 && facts.settings.push;
  const byMail = facts.hasAddress && facts.hasMail && (facts.settings.mail !== 'never' || !byPush);
  if (!byPush) return byMail ? 'yes' : 'no';
  const isSeen = facts.seenAt !== null && nowMs - Date.parse(facts.seenAt) < LONG_AGO_MS;
  if (!isSeen || facts.test?.isShown === false) return byMail ? 'untested' : 'doubtful';
  return facts.test === null ? 'untested' : 'yes';
}

export interface TeamFacts {
  createdBy: string;
  memberIds: readonly string[];
}

/** Who sees whether the members of a team can be reached: who made it, its commanders, and administrators. */
export function isLeadOf(
  { createdBy, memberIds }: TeamFacts,
  personId: string,
  roles: readonly string[],
): boolean {
  if (roles.includes('admin') || createdBy === personId) return true;
  return roles.includes('commander') && memberIds.includes(personId);
}
