/**
 * What was not told of because something above it was down, and is still down when that is up again, is told of after all:
 * it has a reason of its own, and no change of its own tells anybody.
 */
import type { Database } from '../../platform/db/database.ts';
import { toldDown } from '../delivery/history-query.ts';
import { currentHealth } from '../rules/subject.ts';
import { subjectsOfRows } from '../rules/subjects-of-rows.ts';
import { askRule, endHolding, heldBelow, type HeldRow } from './held-below-query.ts';
import { MESSAGES } from './messages.ts';

/** As long as something that is down is told of for what is below it. */
const HELD_MS = 24 * 3_600_000;

/** Time for what is below to be looked at again before it counts as down by itself. */
const GRACE_MS = 5 * 60_000;

const keyOf = ({ notification_id: rule, resource_id: id }: HeldRow) => `${rule} ${id}`;

/** Those that nothing above them holds any more, and whether they are down. */
async function freeOf(db: Database, nowMs: number): Promise<{ row: HeldRow; isDown: boolean }[]> {
  const since = new Date(nowMs - HELD_MS);
  const held = await heldBelow(db, since);
  if (held.length === 0) return [];
  const subjects = await subjectsOfRows(db, held);
  const above = [...new Set([...subjects.values()].flatMap((subject) => subject.above))];
  const rules = [...new Set(held.map((row) => row.notification_id))];
  const down = await toldDown(db, { rules, resources: above }, since);
  return held.flatMap((row) => {
    const { notification_id: rule, resource_id: id, source_event: event } = row;
    const subject = subjects.get(id);
    if ((subject?.above ?? []).some((one) => down.has(`${rule} ${one}`))) return [];
    return [{ row, isDown: currentHealth(event, subject?.env ?? {}) === 'unhealthy' }];
  });
}

/** Asks rules again about what they held; answers how many things that were. */
export function createHeldAsker(db: Database): (nowMs: number) => Promise<number> {
  /** Since when each is seen to be free, ms; a server that is new to it waits anew. */
  const freeSince = new Map<string, number>();

  /** Of several servers one asks. */
  const end = ({ row, isDown }: { row: HeldRow; isDown: boolean }) =>
    db.transaction(async (tx) => {
      const reason = isDown ? MESSAGES.askedAgain : MESSAGES.wellAgain;
      if (!(await endHolding(tx, row, reason)) || !isDown) return 0;
      await askRule(tx, row);
      return 1;
    });

  return async (nowMs) => {
    const free = await freeOf(db, nowMs);
    const keys = new Set(free.map(({ row }) => keyOf(row)));
    for (const key of freeSince.keys()) if (!keys.has(key)) freeSince.delete(key);
    let asked = 0;
    for (const one of free) {
      const key = keyOf(one.row);
      const since = freeSince.get(key) ?? nowMs;
      freeSince.set(key, since);
      if (nowMs - since >= GRACE_MS) asked += await end(one);
    }
    return asked;
  };
}
