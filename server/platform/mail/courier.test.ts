import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Database } from '../db/database.ts';
import { forEachDatabase } from '../db/test-databases.ts';
import { createLeases } from '../jobs/leases.ts';
import { createLogger } from '../logger.ts';
import { nodePlatform } from '../platform.ts';
import { createSealer } from '../crypto/sealing.ts';
import { createCourier } from './courier.ts';
import { recoveryMail, verificationMail } from './mail-texts.ts';
import { createFileTransport, createSmtpTransport } from './mail-transport.ts';
import type { MailTransport } from './mail-transport.ts';

const silent = pino({ level: 'silent' });
const FROM = 'holdfast@example.com';
const MAIL = recoveryMail({ code: '123456', link: 'http://localhost/x?token=abc&y=1' });

interface Received {
  to: string[];
  raw: string;
}

/** A real mail server on loopback that keeps what it gets. */
async function startSmtp(port: number) {
  const received: Received[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        received.push({ to, raw: Buffer.concat(chunks).toString('utf8') });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => smtp.listen(port, '127.0.0.1', resolve));
  const address = smtp.server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    received,
    port: address.port,
    stop: () => new Promise<void>((resolve) => smtp.close(resolve)),
  };
}

forEachDatabase((_name, openDatabase) => {
  let db: Database;
  let aheadMs = 0;
  const platform = { ...nodePlatform, now: () => nodePlatform.now() + aheadMs };
  const sealer = createSealer(Buffer.alloc(32, 1), platform);
  const queueDeps = () => ({
    db,
    platform,
    logger: silent,
    leases: createLeases({ db, platform, logger: silent }),
  });
  const courierOver = (transport: MailTransport) => createCourier({ ...queueDeps(), sealer, transport });

  beforeAll(async () => {
    db = await openDatabase();
  });
  const rows = () =>
    db.rows(
      z.custom<{ state: string; attempts: number; sealed_mail: string | null; last_error: string | null }>(),
      'select state, attempts, sealed_mail, last_error from identity_mails order by id',
    );

  describe('mail', () => {
    it('waits sealed while the mail server is away, and arrives once when it is back', async () => {
      const first = await startSmtp(0);
      await first.stop();
      const transport = createSmtpTransport({ url: `smtp://127.0.0.1:${first.port}`, from: FROM });
      const courier = courierOver(transport);
      await db.transaction((tx) => courier.enqueue(tx, 'ada@example.com', MAIL));
      expect(await courier.deliverDue()).toBe(1);
      const [waiting] = await rows();
      expect(waiting).toMatchObject({ state: 'queued', attempts: 1 });
      expect(waiting?.last_error).toMatch(/ESOCKET|ECONN/);
      expect(waiting?.sealed_mail).not.toContain('123456');
      expect(await courier.deliverDue()).toBe(0);
      const smtp = await startSmtp(first.port);
      try {
        aheadMs += 11_000;
        expect(await courier.deliverDue()).toBe(1);
        aheadMs += 3_600_000;
        expect(await courier.deliverDue()).toBe(0);
        expect(smtp.received).toHaveLength(1);
        expect(smtp.received[0]?.to).toEqual(['ada@example.com']);
        const mail = await PostalMime.parse(smtp.received[0]?.raw ?? '');
        expect(mail.subject).toBe('Recover access to your Holdfast account');
        expect(mail.from?.address).toBe(FROM);
        expect(mail.text).toContain('123456');
        expect(mail.html).toContain('token=abc&amp;y=1');
        expect(mail.html).not.toMatch(/<img|<script|src=/);
      } finally {
        await smtp.stop();
      }
      expect(await rows()).toMatchObject([{ state: 'sent', sealed_mail: null, last_error: null }]);
    });

    it('goes out once when two couriers look at the same time', async () => {
      const sent: string[] = [];
      const transport: MailTransport = {
        send: (mail) => {
          sent.push(mail.to);
          return Promise.resolve();
        },
        isFile: true,
        list: () => Promise.resolve([]),
      };
      const courier = courierOver(transport);
      for (let mail = 0; mail < 6; mail += 1) await courier.enqueue(db, `m${mail}@example.com`, MAIL);
      await Promise.all([courier.deliverDue(), courierOver(transport).deliverDue()]);
      expect(sent.toSorted()).toEqual([0, 1, 2, 3, 4, 5].map((mail) => `m${mail}@example.com`));
    });

    it('that a frozen courier held is sent by another one, and what the first writes late is refused', async () => {
      const answers: ((error?: Error) => void)[] = [];
      const slow: MailTransport = {
        send: () =>
          new Promise((resolve, reject) => {
            answers.push((error) => (error === undefined ? resolve() : reject(error)));
          }),
        isFile: true,
        list: () => Promise.resolve([]),
      };
      const [frozen, other] = [courierOver(slow), courierOver(slow)];
      await frozen.enqueue(db, 'held@example.com', MAIL);
      const first = frozen.deliverDue();
      await expect.poll(() => answers.length).toBe(1);
      expect(await other.deliverDue()).toBe(0);
      await db.run('update leases set until = clock_timestamp()');
      const second = other.deliverDue();
      await expect.poll(() => answers.length).toBe(2);
      answers[1]?.();
      await second;
      answers[0]?.(new Error('late'));
      await first;
      expect((await rows()).at(-1)).toMatchObject({ state: 'sent', attempts: 2, last_error: null });
    });

    it('is given up after three days, and its text with it', async () => {
      const courier = courierOver({
        send: () => Promise.reject(new Error('away')),
        isFile: true,
        list: () => Promise.resolve([]),
      });
      await courier.enqueue(db, 'late@example.com', MAIL);
      await courier.deliverDue();
      aheadMs += 3 * 24 * 3_600_000 + 60_000;
      await courier.deliverDue();
      expect((await rows()).at(-1)).toMatchObject({ state: 'abandoned', sealed_mail: null });
    });

    it('is sent by the loop that runs in the server, at once when woken', async () => {
      const stop = new AbortController();
      const arrived = new Promise<string>((resolve) => {
        const courier = courierOver({
          send: (mail) => {
            resolve(mail.to);
            stop.abort();
            return Promise.resolve();
          },
          isFile: true,
          list: () => Promise.resolve([]),
        });
        void courier.run(stop.signal);
        void courier.enqueue(db, 'soon@example.com', MAIL).then(() => courier.wake());
      });
      expect(await arrived).toBe('soon@example.com');
    });
  });
});

describe('mail written to files', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdfast-mail-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is for its owner only, and the log names the file but not the code', async () => {
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line) => void lines.push(line) });
    const transport = createFileTransport({
      folder: join(folder, 'mail'),
      from: FROM,
      isDemo: false,
      logger,
    });
    const mail = verificationMail({ code: '654321', link: 'http://localhost/verify' });
    await transport.send({ ...mail, id: 'some-id', to: 'ada@example.com', at: new Date(0) });
    const [file = ''] = await readdir(join(folder, 'mail'));
    expect(file).toMatch(/^1970-01-01T.*\.eml$/);
    expect((await stat(join(folder, 'mail', file))).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'mail'))).mode & 0o777).toBe(0o700);
    const parsed = await PostalMime.parse(await readFile(join(folder, 'mail', file)));
    expect(parsed.to?.[0]?.address).toBe('ada@example.com');
    expect(parsed.text).toContain('654321');
    expect(lines.join('')).toContain(file);
    expect(lines.join('')).not.toContain('654321');
    expect(await transport.list()).toEqual([]);
  });
});
