/** Notifications by mail: through a connection's mail server, or through this server's own. */
import { createHash } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { AppError } from '../../../src/contract/errors.ts';
import { TRUST } from './call-service.ts';
import { MESSAGES } from './messages.ts';
import type { OutgoingNotification, SenderContext, SendOutcome } from './sender.ts';
import { lookupTable } from '../../../src/lib/lookup-table.ts';

const ADDRESS = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/;
const MOST_ADDRESSES = 20;
const LONGEST_SUBJECT = 200;
const TIMEOUT_MS = 20_000;
const SMTP_PORT = 587;
const SMTPS_PORT = 465;
const REFUSED_FOR_GOOD = 500;

const ESCAPES = lookupTable<string>({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' });
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);

/** The text of a mail about a notification; nothing in it can become a header or markup. */
export function mailText({ title, body, links = [] }: OutgoingNotification) {
  const text = [body, ...links.map(({ label, url }) => `${label}: ${url}`)].join('\n\n');
  const shown = links.map(({ label, url }) => `<p><a href="${escaped(url)}">${escaped(label)}</a></p>`);
  return {
    subject:
      title
        .replaceAll(/\p{C}+/gu, ' ')
        .trim()
        .slice(0, LONGEST_SUBJECT) || 'Notification',
    text,
    html: `<pre style="font: inherit; white-space: pre-wrap">${escaped(body)}</pre>${shown.join('')}`,
  };
}

/** How an attempt to hand a mail over ended; what a mail server says may hold addresses, its number is enough. */
export function mailFailure(error: unknown): SendOutcome {
  if (error instanceof AppError) throw error;
  const answer =
    error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
      ? error.responseCode
      : null;
  const reason = answer === null ? MESSAGES.mailAway : MESSAGES.mailRefused(answer);
  return answer !== null && answer >= REFUSED_FOR_GOOD
    ? { kind: 'failed', reason }
    : { kind: 'later', reason, retryAfterMs: null };
}

/** Addresses in a text such as `a@example.com, b@example.com`; null when it names none, or too many. */
export function mailAddresses(text: string): string[] | null {
  const all = text.split(/[,;\s]+/).filter((part) => part !== '');
  return all.length > 0 && all.length <= MOST_ADDRESSES && all.every((one) => ADDRESS.test(one)) ? all : null;
}

/** A message id made of the key: a mail that goes out twice is shown once. */
export const messageIdOf = (key: string): string =>
  `${createHash('sha256').update(key).digest('hex').slice(0, 32)}@holdfast`;

async function openTransport({ address, guard }: SenderContext) {
  const { parts } = address;
  const url = new URL(address.origin);
  const encryption = (parts['encryption'] ?? parts['encryptionmethod'] ?? 'Auto').toLowerCase();
  const port = Number(url.port || (encryption === 'implicittls' ? SMTPS_PORT : SMTP_PORT));
  const { host, addresses } = await guard.check(url.hostname.replace(/^\[(.*)\]$/, '$1'), port, TRUST);
  const user = parts['user'] ?? '';
  return createTransport({
    host: addresses[0].address,
    port,
    secure: encryption === 'implicittls' || port === SMTPS_PORT,
    requireTLS: encryption === 'explicittls',
    ignoreTLS: encryption === 'none',
    tls: { servername: host, rejectUnauthorized: !address.isInsecureTls },
    ...(user === '' ? {} : { auth: { user, pass: parts['password'] ?? '' } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
}

/** Through the mail server of a connection or an address; `to` is the rule's, the service's or the address's. */
export async function sendMail(message: OutgoingNotification, context: SenderContext): Promise<SendOutcome> {
  const { parts } = context.address;
  const to = mailAddresses(message.properties['to'] ?? parts['to'] ?? parts['toaddresses'] ?? '');
  if (to === null) return { kind: 'failed', reason: MESSAGES.badRecipients };
  const from = parts['from'] || parts['fromaddress'] || '';
  if (from === '') return { kind: 'failed', reason: MESSAGES.missing('smtp', 'from') };
  const transport = await openTransport(context);
  try {
    await transport.sendMail({
      ...mailText(message),
      from: { name: parts['fromname'] ?? '', address: from },
      to,
      messageId: `<${messageIdOf(message.key)}>`,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return { kind: 'sent' };
  } catch (error) {
    return mailFailure(error);
  } finally {
    transport.close();
  }
}
