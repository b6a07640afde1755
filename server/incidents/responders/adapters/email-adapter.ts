/**
 * E-mail as an outside system: the call is a mail, what comes later are answers to it. Message ids are made from
 * ours, so a mail that goes out twice is shown once. Users' words are in text, in escaped HTML, and in the subject
 * with every control character taken out.
 */
import { WRITTEN_TO_FILE } from '../../../../src/domain/incident/responder-type.ts';
import type { MailTransport } from '../../../platform/mail/mail-transport.ts';
import type { Adapter, AdapterContext, Call } from './adapter.ts';
import { MESSAGES, TOLD } from './messages.ts';
import { OutsideFailure, unusable } from './outside-failure.ts';
import { needField } from './responder-fields.ts';
import { lookupTable } from '../../../../src/lib/lookup-table.ts';

const ADDRESS = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/;
const MOST_ADDRESSES = 20;
const LONGEST_SUBJECT = 200;
const REFUSED_FOR_GOOD = 500;

const ESCAPES = lookupTable<string>({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' });
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);
const oneLine = (text: string) =>
  text
    .replaceAll(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, LONGEST_SUBJECT);

function addressesOf(fields: Readonly<Record<string, string>>): string[] {
  const all = needField(fields, 'to')
    .split(/[,;\s]+/)
    .filter((part) => part !== '');
  if (all.length === 0 || all.length > MOST_ADDRESSES || !all.every((one) => ADDRESS.test(one)))
    throw unusable(MESSAGES.noAddress);
  return all;
}

function subjectOf({ fields, incident }: Call): string {
  const usual = `[${incident.number}] ${incident.severity}: ${incident.title}`;
  return oneLine(fields['subject'] || usual);
}

async function send(mail: Pick<MailTransport, 'send'>, sent: Parameters<MailTransport['send']>[0]) {
  try {
    await mail.send(sent);
  } catch (error) {
    const answer =
      error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
        ? error.responseCode
        : null;
    // What a mail server says may hold addresses and names; its number is enough.
    const message = answer === null ? MESSAGES.mailAway : MESSAGES.mailRefused(answer);
    const retryable = answer === null || answer < REFUSED_FOR_GOOD;
    throw new OutsideFailure('network', message, { cause: error, retryable });
  }
}

/** Finds nothing and reads no answers: a mailbox is not asked. */
export function createEmailAdapter({ mail, now }: AdapterContext): Adapter {
  async function write(call: Call, part: string, lines: readonly string[]): Promise<void> {
    if (mail === null) throw unusable(MESSAGES.noMail);
    const { responderId, incident, fields } = call;
    const isFirst = part === '';
    const all = [...lines, incident.url];
    const html = all.map((line) => `<p style="white-space:pre-wrap">${escaped(line)}</p>`).join('\n');
    for (const [place, to] of addressesOf(fields).entries()) {
      const first = `responder-${responderId}-${place}`;
      await send(mail, {
        id: isFirst ? first : `${first}-${part}`,
        ...(isFirst ? {} : { inReplyTo: first }),
        to,
        at: new Date(now()),
        subject: isFirst ? subjectOf(call) : `Re: ${subjectOf(call)}`,
        text: `${all.join('\n\n')}\n`,
        html: `<!doctype html><html lang="en"><body style="font:16px sans-serif">${html}</body></html>`,
      });
    }
  }

  return {
    find: () => Promise.resolve(null),
    async create(call) {
      const { incident, fields } = call;
      const facts = `${incident.number} · ${incident.severity} · ${incident.status}`;
      await write(call, '', [facts, incident.title, fields['body'] || incident.description].filter(Boolean));
      const status = mail?.isFile === true ? WRITTEN_TO_FILE : null;
      return { key: call.responderId, externalId: null, url: null, status };
    },
    async addComment(call, _key, { id, author, text }) {
      await write(call, id, [TOLD.comment(author, text)]);
      return null;
    },
    async setStatus(call, _key, { id, status }) {
      await write(call, id, [TOLD.status(call.incident, status)]);
      return null;
    },
    async remove(call) {
      await write(call, 'removed', [TOLD.removed(call.incident)]);
      return null;
    },
    read: null,
    options: null,
  };
}
