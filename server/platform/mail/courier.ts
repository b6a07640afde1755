/**
 * Brings mail from the database to where it goes. Invariants: a mail is written in the transaction of what
 * causes it; a mail server that is away loses none (retried for three days, ever more seldom); a process that
 * dies while it sends lets another send again, so a mail may come twice but not never.
 */
import type { Queryable } from '../db/database.ts';
import { runLoop } from '../jobs/background-loop.ts';
import { backoffMs, createLeaseQueue, type AttemptEnd, type LeaseQueueDeps } from '../jobs/lease-queue.ts';
import type { Platform } from '../platform.ts';
import type { Sealer } from '../crypto/sealing.ts';
import { deleteOldMails, insertMail, MAIL_TABLE, markAbandoned, markFailed, markSent } from './mail-query.ts';
import type { MailRow } from './mail-query.ts';
import type { MailText } from './mail-texts.ts';
import type { MailTransport } from './mail-transport.ts';
import { mailTextSchema } from './mail-text-schema.ts';

const DAY_MS = 24 * 3_600_000;
const LOOK_EVERY_MS = 5000;
const TIDY_EVERY_MS = 3_600_000;
const BACKOFF = { firstMs: 10_000, mostMs: 3_600_000 };
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

export interface CourierDeps extends LeaseQueueDeps {
  platform: Platform;
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

async function send({ sealer, transport, platform }: CourierDeps, row: MailRow): Promise<AttemptEnd> {
  const mail = mailTextSchema.parse(JSON.parse(sealer.open(row.sealed_mail, `mail ${row.id}`)));
  await transport.send({ ...mail, id: row.id, to: row.recipient, at: new Date(row.created_at) });
  return { kind: 'done', write: (tx) => markSent(tx, row.id, new Date(platform.now())) };
}

function notSent({ platform, logger }: CourierDeps, row: MailRow, error: unknown): AttemptEnd {
  const nowMs = platform.now();
  const about = { mailId: row.id, kind: kindOf(error) };
  if (nowMs - Date.parse(row.created_at) > ABANDON_AFTER_MS) {
    logger.error(about, 'mail given up after three days');
    return { kind: 'dead', write: (tx) => markAbandoned(tx, row.id, about.kind) };
  }
  const waitMs = backoffMs(row.attempts, BACKOFF);
  logger.warn({ ...about, waitMs }, 'mail not sent, tried again later');
  const failure = { error: about.kind, nextAttemptAt: new Date(nowMs + waitMs) };
  return { kind: 'retried', write: (tx) => markFailed(tx, row.id, failure) };
}

/** One server's way to the mail that waits. */
export function createCourier(deps: CourierDeps): Courier {
  const { db, platform, sealer } = deps;
  const queue = createLeaseQueue<MailRow>(deps, {
    name: 'mail',
    table: MAIL_TABLE,
    concurrency: 1,
    everyMs: LOOK_EVERY_MS,
    handle: (row) => send(deps, row),
    failed: (row, error) => notSent(deps, row, error),
  });
  const tidy = () => deleteOldMails(db, new Date(platform.now() - KEPT_MS));

  return {
    async enqueue(tx, to, mail) {
      const id = platform.newId();
      const sealedMail = sealer.seal(JSON.stringify(mail), `mail ${id}`);
      await insertMail(tx, { id, recipient: to, sealedMail, nowAt: new Date(platform.now()) });
    },
    wake: () => queue.wake(),
    deliverDue: () => queue.drain(),
    async run(signal) {
      const tidying = runLoop(deps, { name: 'old mails', everyMs: TIDY_EVERY_MS, run: tidy }, signal);
      await Promise.all([queue.run(signal), tidying]);
    },
  };
}
