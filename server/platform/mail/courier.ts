/**
 * Brings mail from the database to where it goes. Invariants: a mail is written in the transaction of what
 * causes it; a mail server that is away loses none (retried for three days, ever more seldom); a process that
 * dies while it sends lets another send again, so a mail may come twice but not never.
 */
import type { Queryable, Database } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import type { Platform } from '../platform.ts';
import type { Sealer } from '../crypto/sealing.ts';
import {
  deleteOldMails,
  insertMail,
  markAbandoned,
  markFailed,
  markSent,
  takeDueMail,
} from './mail-query.ts';
import type { MailRow } from './mail-query.ts';
import type { MailText } from './mail-texts.ts';
import type { MailTransport } from './mail-transport.ts';
import { mailTextSchema } from './mail-text-schema.ts';

const DAY_MS = 24 * 3_600_000;
const IDLE_MS = 5000;
/** Longer than an SMTP exchange may take. */
const LEASE_MS = 2 * 60_000;
const FIRST_RETRY_MS = 10_000;
const MAX_RETRY_MS = 3_600_000;
const ABANDON_AFTER_MS = 3 * DAY_MS;
const KEPT_MS = 30 * DAY_MS;

export interface Courier {
  /** Queues a mail with the transaction of its cause; with no address does the same work and sends nothing. */
  enqueue(tx: Queryable, to: string | null, mail: MailText): Promise<void>;
  /** Looks at once instead of at the next round; call it after the transaction. */
  wake(): void;
  /** Sends what is due now; answers how many mails it took. */
  deliverDue(): Promise<number>;
  run(signal: AbortSignal): Promise<void>;
}

export interface CourierDeps {
  db: Database;
  platform: Platform;
  logger: Logger;
  sealer: Sealer;
  transport: MailTransport;
}

/** The kind of failure; what a mail server says may hold the address and isn't repeated. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  const answer = 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : '';
  return `${code} ${answer}`.trim();
}

async function deliver({ db, platform, logger, sealer, transport }: CourierDeps, row: MailRow) {
  const mail = mailTextSchema.parse(JSON.parse(sealer.open(row.sealed_mail, `mail ${row.id}`)));
  const createdMs = Date.parse(row.created_at);
  try {
    await transport.send({ ...mail, id: row.id, to: row.recipient, at: new Date(createdMs) });
  } catch (error) {
    const nowMs = platform.now();
    const kind = kindOf(error);
    if (nowMs - createdMs > ABANDON_AFTER_MS) {
      await markAbandoned(db, row.id, kind);
      logger.error({ mailId: row.id, kind }, 'mail given up after three days');
      return;
    }
    const waitMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(row.attempts - 1, 20));
    await markFailed(db, row.id, { error: kind, nextAttemptAt: new Date(nowMs + waitMs) });
    logger.warn({ mailId: row.id, kind, waitMs }, 'mail not sent, tried again later');
    return;
  }
  await markSent(db, row.id, new Date(platform.now()));
}

export function createCourier(deps: CourierDeps): Courier {
  const { db, platform, logger, sealer } = deps;
  let waking = new AbortController();

  async function deliverDue(): Promise<number> {
    let taken = 0;
    for (;;) {
      const nowMs = platform.now();
      const row = await takeDueMail(db, { now: new Date(nowMs), leasedUntil: new Date(nowMs + LEASE_MS) });
      if (row === null) return taken;
      taken += 1;
      await deliver(deps, row);
    }
  }

  return {
    async enqueue(tx, to, mail) {
      const id = platform.newId();
      const sealedMail = sealer.seal(JSON.stringify(mail), `mail ${id}`);
      await insertMail(tx, { id, recipient: to, sealedMail, nowAt: new Date(platform.now()) });
    },
    wake: () => waking.abort(),
    deliverDue,
    async run(signal) {
      while (!signal.aborted) {
        waking = new AbortController();
        try {
          await deliverDue();
          await deleteOldMails(db, new Date(platform.now() - KEPT_MS));
        } catch (error) {
          logger.error({ err: error }, 'mail: the queue could not be read, tried again soon');
        }
        await platform.sleep(IDLE_MS, AbortSignal.any([signal, waking.signal]));
      }
    },
  };
}
