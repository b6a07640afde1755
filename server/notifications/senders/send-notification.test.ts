/** Notifications to webhooks and mail servers, over real HTTP and SMTP. */
import { expect, it } from 'vitest';
import PostalMime from 'postal-mime';
import { startLocalServer } from '../../catalog/scrapers/testing/local-server.ts';
import { createServerGuard } from '../../platform/egress/server-guard.ts';
import { startLocalSmtp } from '../testing/local-smtp.ts';
import { sendNotification, type NotificationTarget } from './send-notification.ts';
import type { OutgoingNotification } from './sender.ts';

const guard = createServerGuard({ egressAllow: ['loopback'], egressDeny: [], databaseUrl: null });
const MESSAGE: OutgoingNotification = { key: 'k1', title: 'Down', body: 'It is <down>', properties: {} };

const send = (target: NotificationTarget, message: Partial<OutgoingNotification> = {}) =>
  sendNotification(
    target,
    { ...MESSAGE, ...message },
    {
      scope: { guard, connection: () => Promise.resolve(null) },
      signal: new AbortController().signal,
      now: () => 0,
    },
  );

it('a webhook gets title and message under the names that its address chooses, with the key', async () => {
  const hook = await startLocalServer(() => ({ body: 'ok' }));
  try {
    expect(await send({ url: `${hook.url}/a?x=1` }, { properties: { room: '7' } })).toEqual({ kind: 'sent' });
    const query =
      'MessageKey=Body&TitleKey=Subject&contentType=application/x-www-form-urlencoded&$To=%2B49&@X-Key=s';
    expect(await send({ url: `generic+${hook.url}/sms?${query}` })).toEqual({ kind: 'sent' });
    expect(await send({ url: `generic+${hook.url}/get?RequestMethod=GET` })).toEqual({ kind: 'sent' });
    const [json, form, got] = hook.asked;
    expect(JSON.parse(json?.body ?? '')).toEqual({ title: 'Down', message: 'It is <down>', room: '7' });
    expect(json?.url.search).toBe('?x=1');
    expect(json?.headers['idempotency-key']).toBe('k1');
    expect(form?.body).toBe('To=%2B49&Subject=Down&Body=It+is+%3Cdown%3E');
    expect(form?.headers['x-key']).toBe('s');
    expect(form?.url.search).toBe('');
    expect(got?.url.searchParams.get('title')).toBe('Down');
  } finally {
    await hook.close();
  }
});

it('says why it was not taken, and when to come again, without what signs in', async () => {
  const token = 'averylongtokenindeed1';
  const answers = [
    { status: 400, body: { error: `bad ${token}` } },
    { status: 429, body: {}, headers: { 'retry-after': '7' } },
    { status: 429, body: { parameters: { retry_after: 3 } } },
    { status: 503, body: 'no' },
  ];
  const hook = await startLocalServer(() => answers.shift() ?? { body: '' });
  const { host } = new URL(hook.url);
  const go = () => send({ url: `${hook.url}/${token}` });
  try {
    expect(await go()).toEqual({ kind: 'failed', reason: `${host} answered 400: bad ***` });
    expect(await go()).toMatchObject({ kind: 'later', reason: `${host} answered 429`, retryAfterMs: 7000 });
    expect(await go()).toMatchObject({ kind: 'later', retryAfterMs: 3000 });
    expect(await go()).toMatchObject({ kind: 'later', reason: `${host} answered 503`, retryAfterMs: null });
  } finally {
    await hook.close();
  }
  expect(await go()).toMatchObject({ kind: 'later', retryAfterMs: null });
  expect(await send({})).toMatchObject({ kind: 'failed' });
  expect(await send({ connection: 'gone' })).toMatchObject({ kind: 'failed' });
  expect(await send({ url: 'http://169.254.169.254/' })).toMatchObject({ kind: 'failed' });
});

it('a mail server gets a mail for whom the rule or the address names', async () => {
  const smtp = await startLocalSmtp();
  try {
    const url = `${smtp.url}/?from=ops@example.com&to=ann@example.com`;
    const links = [{ label: 'Open', url: 'https://h.example/health?a=1&b=2' }];
    expect(await send({ url }, { title: 'Down\r\nBcc: x@y.z', links })).toEqual({ kind: 'sent' });
    expect(await send({ url }, { properties: { to: 'bob@refused.example' } })).toEqual({
      kind: 'failed',
      reason: 'The mail server refused it (550)',
    });
    expect(await send({ url }, { properties: { to: 'nobody' } })).toMatchObject({ kind: 'failed' });
    expect(smtp.mails).toHaveLength(1);
    const mail = await PostalMime.parse(smtp.mails[0]?.raw ?? '');
    expect(smtp.mails[0]?.to).toEqual(['ann@example.com']);
    expect(mail.subject).toBe('Down Bcc: x@y.z');
    expect(mail.text).toContain('https://h.example/health?a=1&b=2');
    expect(mail.html).toContain('It is &lt;down&gt;');
  } finally {
    await smtp.close();
  }
  expect(await send({ url: `${smtp.url}/?from=a@b.c&to=c@d.e` })).toMatchObject({ kind: 'later' });
});
