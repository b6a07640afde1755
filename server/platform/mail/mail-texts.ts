/**
 * What our mails say. Nothing that a user typed stands in them, so that nobody can send his words in our name;
 * codes and links are ours. The HTML loads nothing from anywhere.
 */
import { lookupTable } from '../../../src/lib/lookup-table.ts';
export interface MailText {
  subject: string;
  text: string;
  html: string;
}

const BRAND = 'Holdfast';

const ESCAPES = lookupTable<string>({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' });
const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);

type Line = { kind: 'text'; text: string } | { kind: 'code'; code: string } | { kind: 'link'; url: string };

function htmlOf(line: Line): string {
  switch (line.kind) {
    case 'text':
      return `<p>${escape(line.text)}</p>`;
    case 'code':
      return `<p style="font:700 28px monospace;letter-spacing:4px">${escape(line.code)}</p>`;
    case 'link':
      return `<p><a href="${escape(line.url)}">${escape(line.url)}</a></p>`;
  }
}

function plainOf(line: Line): string {
  switch (line.kind) {
    case 'text':
      return line.text;
    case 'code':
      return line.code;
    case 'link':
      return line.url;
  }
}

function compose(subject: string, lines: readonly Line[]): MailText {
  const body = lines.map(htmlOf).join('\n');
  return {
    subject,
    text: `${lines.map(plainOf).join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body style="font:16px sans-serif">${body}</body></html>`,
  };
}

const text = (words: string): Line => ({ kind: 'text', text: words });
const NOT_YOU = text('If you did not ask for this, ignore this message: nothing has changed.');

interface Proof {
  code: string;
  link: string;
}

/** The code is for the form that asked for it, the link for any browser. */
export function recoveryMail({ code, link }: Proof): MailText {
  return compose(`Recover access to your ${BRAND} account`, [
    text('Enter this code to recover your account. It is valid for one hour.'),
    { kind: 'code', code },
    text('Or open this link and confirm:'),
    { kind: 'link', url: link },
    NOT_YOU,
  ]);
}

/** The code is for the form that asked for it, the link for any browser. */
export function verificationMail({ code, link }: Proof): MailText {
  return compose(`Verify your ${BRAND} e-mail address`, [
    text('Enter this code to verify your e-mail address. It is valid for one hour.'),
    { kind: 'code', code },
    text('Or open this link and confirm:'),
    { kind: 'link', url: link },
    NOT_YOU,
  ]);
}

/** Good for seven days. */
export function invitationMail({ link }: { link: string }): MailText {
  return compose(`You are invited to ${BRAND}`, [
    text('An administrator made an account for you. Open this link within seven days to choose a password:'),
    { kind: 'link', url: link },
  ]);
}

const CALL_ADMIN = text('If this was not you, recover your account and tell your administrator.');

/** To the former address. */
export function addressChangedMail(): MailText {
  return compose(`Your ${BRAND} e-mail address was changed`, [
    text('The account that used this address uses another one now.'),
    CALL_ADMIN,
  ]);
}

/** To the account's address. */
export function passwordChangedMail(): MailText {
  return compose(`Your ${BRAND} password was changed`, [
    text('The password of your account was changed. All other sessions were ended.'),
    CALL_ADMIN,
  ]);
}

/** To the account's address. */
export function secondFactorMail(change: 'added' | 'removed'): MailText {
  return compose(`A second factor was ${change}`, [
    text(`A second factor of your ${BRAND} account was ${change}.`),
    CALL_ADMIN,
  ]);
}
