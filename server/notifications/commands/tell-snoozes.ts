/**
 * Ends snoozes whose time is over, and says so: rules are asked again about what is still so, and who snoozed hears of
 * it in any case. The end and what follows from it are written together.
 */
import type { Courier } from '../../platform/mail/courier.ts';
import type { Database } from '../../platform/db/database.ts';
import { linkPath } from '../rules/subject.ts';
import { mailText } from '../senders/mail-sender.ts';
import { askAgain, endSnoozes, type EndedSnooze } from './acknowledge-query.ts';
import { MESSAGES } from './messages.ts';
import { trimEnd } from '../../../src/lib/trim-end.ts';

function letterOf({ id, kind, resource_id: about, name, until, event }: EndedSnooze, publicUrl: string) {
  const path = linkPath(`${kind}.`, about, { incident: { id: about } });
  return mailText({
    key: id,
    title: event === null ? MESSAGES.snoozeEndedWell(name) : MESSAGES.snoozeEnded(name),
    body: MESSAGES.snoozeBody(until),
    properties: {},
    links: [{ label: MESSAGES.open, url: `${trimEnd(publicUrl, '/')}${path}` }],
  });
}

/** Answers how many ended. */
export async function tellSnoozes(
  {
    db,
    courier,
    publicUrl,
  }: { db: Database; courier: Pick<Courier, 'enqueue' | 'wake'>; publicUrl: () => string },
  nowMs: number,
): Promise<number> {
  const ended = await db.transaction(async (tx) => {
    const rows = await endSnoozes(tx, new Date(nowMs));
    for (const row of rows) {
      if (row.event !== null) await askAgain(tx, row);
      if (!row.has_rule && (row.email ?? '').includes('@'))
        await courier.enqueue(tx, row.email, letterOf(row, publicUrl()));
    }
    return rows.length;
  });
  if (ended > 0) courier.wake();
  return ended;
}
