/** Tells people that a silence of theirs is about to end, or has: nobody is surprised by what is sent again. */
import type { Courier } from '../../platform/mail/courier.ts';
import type { Database } from '../../platform/db/database.ts';
import { mailText } from '../senders/mail-sender.ts';
import { endingSilences, noteEndingTold } from './active-silences-query.ts';
import { MESSAGES } from './messages.ts';
import { trimEnd } from '../../../src/lib/trim-end.ts';

/** So much before its end. */
const BEFORE_MS = 10 * 60_000;

/** Writes the mails with the note that they were written; answers how many. */
export async function tellEndings(
  {
    db,
    courier,
    publicUrl,
  }: { db: Database; courier: Pick<Courier, 'enqueue' | 'wake'>; publicUrl: () => string },
  nowMs: number,
): Promise<number> {
  const times = { now: new Date(nowMs), until: new Date(nowMs + BEFORE_MS) };
  const ending = await endingSilences(db, times);
  const url = `${trimEnd(publicUrl(), '/')}/notifications/silences`;
  for (const silence of ending) {
    const mail = mailText({
      key: silence.id,
      title: MESSAGES.endingTitle(silence.about ?? ''),
      body: MESSAGES.endingBody(silence.until, silence.description ?? ''),
      properties: {},
      links: [{ label: MESSAGES.openSilences, url }],
    });
    await db.transaction(async (tx) => {
      if ((await noteEndingTold(tx, silence.id, times)) === 0) return;
      if ((silence.email ?? '').includes('@')) await courier.enqueue(tx, silence.email, mail);
    });
  }
  if (ending.length > 0) courier.wake();
  return ending.length;
}
