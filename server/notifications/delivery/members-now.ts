/**
 * What a message is about now, of what it was planned to tell: without what is no longer so after the time to wait, and
 * without what was silenced or acknowledged meanwhile.
 */
import type { Queryable } from '../../platform/db/database.ts';
import { lookAgain, type LookDeps } from '../holding/held-back.ts';
import type { RuleRow } from '../rules/rule-query.ts';
import { subjectsOfRows } from '../rules/subjects-of-rows.ts';
import { membersOf, type DueDelivery, type MemberRow } from './delivery-query.ts';
import type { EndedMember } from './history-query.ts';
import { isWaiting, stillSo, type Member } from './message-text.ts';
import { MESSAGES } from './messages.ts';

/** So many are looked up at a time, of what waited. */
const LOOKED_AT_ONCE = 500;
/** A list needs no more than the titles that its rows have. */
const MOST_DETAILED = 20;

async function withSubjects(db: Queryable, members: readonly MemberRow[]): Promise<Member[]> {
  const found = await subjectsOfRows(db, members);
  return members.map((member) => ({ ...member, subject: found.get(member.resource_id) ?? null }));
}

async function* inParts(db: Queryable, members: readonly MemberRow[]): AsyncGenerator<Member[]> {
  for (let at = 0; at < members.length; at += LOOKED_AT_ONCE)
    yield await withSubjects(db, members.slice(at, at + LOOKED_AT_ONCE));
}

const bare = (row: MemberRow): Member => ({ ...row, subject: null });

export interface MembersNow {
  members: Member[];
  /** Those that nobody is to be told of any more, and why. */
  ended: EndedMember[];
}

/** For a message whose text is to be written. */
export async function membersNow(
  deps: LookDeps,
  { id, kind, title }: DueDelivery,
  rule: RuleRow,
): Promise<MembersNow> {
  const all = await membersOf(deps.db, id);
  const isDetailed = kind === 'single' || all.length <= MOST_DETAILED;
  const isJudged = title === null && isWaiting(rule);
  const look = await lookAgain(deps);
  if (!isDetailed && !isJudged && look === null) return { members: all.map(bare), ended: [] };
  const members: Member[] = [];
  const ended: EndedMember[] = [];
  for await (const part of inParts(deps.db, all)) {
    const held = (await look?.(part)) ?? new Map<string, string>();
    for (const member of part) {
      const reason = held.get(member.id);
      if (reason !== undefined) ended.push({ id: member.id, status: 'silenced', reason });
      else if (isJudged && !stillSo(member, rule))
        ended.push({ id: member.id, status: 'cancelled', reason: MESSAGES.noLonger });
      else members.push(isDetailed ? member : bare(member));
    }
  }
  const isShort = !isDetailed && members.length <= MOST_DETAILED;
  return { members: isShort ? await withSubjects(deps.db, members) : members, ended };
}

/** For a message whose text is written: why nothing of it is to be told any more; empty where something still is. */
export async function heldWhole(deps: LookDeps, { id }: DueDelivery): Promise<EndedMember[]> {
  const look = await lookAgain(deps);
  if (look === null) return [];
  const ended: EndedMember[] = [];
  for await (const part of inParts(deps.db, await membersOf(deps.db, id))) {
    const held = await look(part);
    if (held.size < part.length) return [];
    for (const [member, reason] of held) ended.push({ id: member, status: 'silenced', reason });
  }
  return ended;
}
