/**
 * What holds back that people are told of something: a silence that covers it, or that somebody knows of it. Asked when
 * an event comes to the rules, and again before each attempt to send what followed from it: minutes may lie between, and
 * what is silenced or acknowledged meanwhile is not to be told.
 */
import { isKnownByAcknowledging } from '../../../src/domain/notification/notification-rule.ts';
import { coverOf, isActive, type Silence } from '../../../src/domain/notification/silence.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import { environmentOf, isWanted } from '../rules/rule-environment.ts';
import { acknowledgedSubject, silencedResource, subjectKindOf } from '../rules/subject.ts';
import type { SubjectRow } from '../rules/subject-query.ts';
import { silencesAt } from '../silences/active-silences-query.ts';
import { acknowledgedAmong, isAnythingKnown, type ActiveAcknowledgement } from './known-query.ts';
import { MESSAGES, SNOOZE_OVER } from './messages.ts';

type Evaluator = Pick<Expressions, 'evaluate'>;

export interface Holders {
  nowMs: number;
  silences: readonly Silence[];
  /** What somebody knows of, by its id. */
  acknowledged: ReadonlyMap<string, ActiveAcknowledgement>;
}

export interface HeldQuestion {
  event: string;
  subject: SubjectRow;
  /** As filters see it. */
  variables: Record<string, unknown>;
  /** It is told of once more because a snooze of it is over. */
  isAfterSnooze: boolean;
}

async function silenceOver(
  { silences, nowMs }: Holders,
  { event, subject, variables }: HeldQuestion,
  expressions: Evaluator,
): Promise<Silence | null> {
  const resource = silencedResource(event, subject);
  for (const silence of silences) {
    if (!isActive(silence, nowMs)) continue;
    const cover = coverOf(silence, resource);
    if (cover === 'yes') return silence;
    // One whose expression fails silences nothing.
    if (cover === 'asks' && (await isWanted(expressions, silence.filter, variables)).kind === 'yes')
      return silence;
  }
  return null;
}

function knownBy({ acknowledged }: Holders, { event, subject, isAfterSnooze }: HeldQuestion): string | null {
  if (!isKnownByAcknowledging(event)) return null;
  const about = acknowledgedSubject(event, subject);
  const known = about === null ? undefined : acknowledged.get(about.id);
  if (known === undefined) return null;
  // Whoever snoozed it wants to be told then, also of what is known with an incident.
  if (isAfterSnooze && known.incident !== null) return null;
  return MESSAGES.acknowledged(known.person, known.until, known.incident);
}

/** Why nobody is to be told of it, as the history says it; null where nothing holds it back. */
export async function heldBackBy(
  holders: Holders,
  question: HeldQuestion,
  expressions: Evaluator,
): Promise<string | null> {
  const silence = await silenceOver(holders, question, expressions);
  return silence === null ? knownBy(holders, question) : MESSAGES.silenced(silence.id);
}

/** The things that somebody could know of. */
export function acknowledgeable(things: Iterable<{ event: string; subject: SubjectRow }>): string[] {
  const ids = [...things].map(({ event, subject }) => acknowledgedSubject(event, subject)?.id);
  return [...new Set(ids.filter((id) => id !== undefined))];
}

interface WaitingMember {
  id: string;
  source_event: string;
  reason: string | null;
  subject: SubjectRow | null;
}

export interface LookDeps {
  db: Queryable;
  expressions: Evaluator;
  publicUrl: () => string;
  now: () => number;
}

/** What is looked at again before something is sent. */
export type SecondLook = (members: readonly WaitingMember[]) => Promise<Map<string, string>>;

/** Answers which of the members are held back now, and why, by their ids; null where nothing holds anything back. */
export async function lookAgain({ db, expressions, publicUrl, now }: LookDeps): Promise<SecondLook | null> {
  const nowMs = now();
  const at = new Date(nowMs);
  const silences = (await silencesAt(db, at)).filter((silence) => isActive(silence, nowMs));
  if (silences.length === 0 && !(await isAnythingKnown(db, at))) return null;
  return async (members) => {
    const things = members.flatMap(({ id, source_event: event, reason, subject }) => {
      // That the server itself is cut off is nobody's to silence.
      if (subject === null || subjectKindOf(event) === 'monitor') return [];
      return [{ id, event, subject, isAfterSnooze: (reason ?? '').endsWith(SNOOZE_OVER) }];
    });
    const acknowledged = await acknowledgedAmong(db, acknowledgeable(things), at);
    const held = new Map<string, string>();
    for (const { id, ...thing } of things) {
      const variables = environmentOf({ ...thing, publicUrl: publicUrl(), channel: '' });
      const reason = await heldBackBy(
        { nowMs, silences, acknowledged },
        { ...thing, variables },
        expressions,
      );
      if (reason !== null) held.set(id, reason);
    }
    return held;
  };
}
