/**
 * Where a mail goes: to an SMTP server, or into a folder that only the server's user can read. Recipients are
 * given as whole addresses; subjects are constants of ours, or a responder's with its control characters taken out.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { z } from 'zod';
import { demoMailSchema, type DemoMail } from '../../../src/contract/http/identity/identity.ts';
import type { Logger } from '../logger.ts';
import type { MailText } from './mail-texts.ts';

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;
const SMTP_TIMEOUT_MS = 20_000;
const MAX_LISTED = 50;

export interface OutgoingMail extends MailText {
  id: string;
  to: string;
  at: Date;
  /** Id of the mail that this one answers. */
  inReplyTo?: string;
}

export interface MailTransport {
  /** Mails become files, and reach nobody. */
  isFile: boolean;
  /** Resolves when the mail is out of our hands; throws when it isn't. */
  send(mail: OutgoingMail): Promise<void>;
  /** The newest mails first; only where they are kept for the demo. */
  list(): Promise<DemoMail[]>;
}

function messageOf(mail: OutgoingMail, from: string) {
  const { to, subject, text, html, at, id, inReplyTo } = mail;
  return {
    from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    date: at,
    messageId: `<${id}@holdfast>`,
    ...(inReplyTo === undefined
      ? {}
      : { inReplyTo: `<${inReplyTo}@holdfast>`, references: `<${inReplyTo}@holdfast>` }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** `url` as nodemailer has it: smtp://user:password@host:587 or smtps://… */
export function createSmtpTransport({ url, from }: { url: string; from: string }): MailTransport {
  const transport = createTransport({
    url,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
  });
  return {
    isFile: false,
    send: async (mail) => {
      await transport.sendMail(messageOf(mail, from));
    },
    list: () => Promise.resolve([]),
  };
}

async function readDemoMails(folder: string): Promise<DemoMail[]> {
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  const newest = names.toSorted().toReversed().slice(0, MAX_LISTED);
  const texts = await Promise.all(newest.map((name) => readFile(join(folder, name), 'utf8')));
  return z.array(demoMailSchema).parse(texts.map((text): unknown => JSON.parse(text)));
}

/** Files named by time. With `isDemo` a second form beside each, for the page that shows them. */
export function createFileTransport(options: {
  folder: string;
  from: string;
  isDemo: boolean;
  logger: Logger;
}): MailTransport {
  const { folder, from, isDemo, logger } = options;
  const writer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    isFile: true,
    async send(mail) {
      await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
      const { message } = await writer.sendMail(messageOf(mail, from));
      const stem = join(folder, `${mail.at.toISOString().replaceAll(':', '-')}-${mail.id}`);
      await writeFile(`${stem}.eml`, message, { mode: OWNER_ONLY_FILE });
      if (isDemo) {
        const { id, to, subject, text, at } = mail;
        const shown: DemoMail = { id, to, subject, text, sent_at: at.toISOString() };
        await writeFile(`${stem}.json`, JSON.stringify(shown), { mode: OWNER_ONLY_FILE });
      }
      logger.info({ file: `${stem}.eml` }, 'mail written to a file');
    },
    list: () => (isDemo ? readDemoMails(folder) : Promise.resolve([])),
  };
}
