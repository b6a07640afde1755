/** Each service that takes notifications, by its documented HTTP API, over real HTTP. */
import { describe, expect, it } from 'vitest';
import { startLocalServer, type Answered, type Asked } from '../../catalog/scrapers/testing/local-server.ts';
import type { OpenConnection } from '../../connections/secret-scope.ts';
import { createServerGuard } from '../../platform/egress/server-guard.ts';
import { NOTIFICATION_CONNECTIONS } from '../../../src/domain/settings/notification-connections.ts';
import { sendNotification } from './send-notification.ts';
import type { OutgoingNotification, SendOutcome } from './sender.ts';
import { testService } from './test-service.ts';

const guard = createServerGuard({ egressAllow: ['loopback'], egressDeny: [], databaseUrl: null });
const MESSAGE: OutgoingNotification = {
  key: 'k1',
  title: 'API <down>',
  body: 'It & its database',
  properties: {},
  links: [{ label: 'Open', url: 'https://h.example/health' }],
};

type Columns = Partial<Omit<OpenConnection, 'type'>>;

function connectionOf(type: string, columns: Columns): OpenConnection {
  const empty = {
    url: '',
    username: '',
    password: '',
    certificate: '',
    properties: {},
    isInsecureTls: false,
  };
  return { ...empty, ...columns, type };
}

const sendBy = (connection: OpenConnection, message: OutgoingNotification = MESSAGE): Promise<SendOutcome> =>
  sendNotification({ connection: 'id' }, message, {
    scope: { guard, connection: () => Promise.resolve(connection) },
    signal: new AbortController().signal,
    now: () => 0,
  });

/** Sends one through a stand-in; `columns` is told where that is. */
async function sent(type: string, columns: (url: string) => Columns, answer?: (asked: Asked) => Answered) {
  const server = await startLocalServer(answer ?? (() => ({ body: { ok: true } })));
  try {
    const outcome = await sendBy(connectionOf(type, columns(server.url)));
    const shown = server.asked.map(({ method, url, headers, body }) => ({
      line: `${method} ${url.pathname}${url.search}`,
      headers,
      body: body.startsWith('{') ? (JSON.parse(body) as Record<string, unknown>) : new URLSearchParams(body),
    }));
    return { outcome, asked: shown, first: shown[0] };
  } finally {
    await server.close();
  }
}

const field = (body: Record<string, unknown> | URLSearchParams | undefined, name: string) =>
  body instanceof URLSearchParams ? body.get(name) : body?.[name];
const plainHost = (url: string) => ({ host: new URL(url).host, scheme: 'http' });

interface Case {
  type: string;
  columns: (url: string) => Columns;
  line: string;
  fields: Record<string, unknown>;
  header?: readonly [string, string];
}

const CASES: readonly Case[] = [
  {
    type: 'discord',
    columns: (url) => ({ url, username: '123', password: 'to/ken' }),
    line: 'POST /api/webhooks/123/to%2Fken',
    fields: {
      embeds: [{ title: 'API <down>', description: 'It & its database\n\n[Open](https://h.example/health)' }],
    },
  },
  {
    type: 'telegram',
    columns: (url) => ({ url, username: '@ops', password: '1:A' }),
    line: 'POST /bot1:A/sendMessage',
    fields: { chat_id: '@ops' },
  },
  {
    type: 'slack',
    columns: (url) => ({ url, username: '#ops', password: 'xoxb', properties: { BotName: 'Bot' } }),
    line: 'POST /api/chat.postMessage',
    fields: { channel: '#ops', username: 'Bot', text: 'API &lt;down&gt;' },
    header: ['authorization', 'Bearer xoxb'],
  },
  {
    type: 'slackwebhook',
    columns: (url) => ({ url: `${url}/services/A/B/C` }),
    line: 'POST /services/A/B/C',
    fields: { text: 'API &lt;down&gt;' },
  },
  {
    type: 'teams',
    columns: (url) => ({ url, properties: { group: 'g', tenant: 't', altID: 'a', groupOwner: 'o' } }),
    line: 'POST /webhookb2/g@t/IncomingWebhook/a/o',
    fields: { '@type': 'MessageCard', title: 'API <down>', text: 'It & its database' },
  },
  {
    type: 'google_chat',
    columns: (url) => ({ url, username: 'key', password: 'tok', properties: { webhook: 'S1' } }),
    line: 'POST /v1/spaces/S1/messages?key=key&token=tok&requestId=k1',
    fields: { text: '*API <down>*\n\nIt & its database\n\nOpen: https://h.example/health' },
  },
  {
    type: 'mattermost',
    columns: (url) => ({
      username: 'bot',
      password: 'tok',
      properties: { ...plainHost(url), channel: 'ops' },
    }),
    line: 'POST /hooks/tok',
    fields: { username: 'bot', channel: 'ops' },
  },
  {
    type: 'rocketchat',
    columns: (url) => ({
      username: 'a',
      password: 'b',
      properties: { ...plainHost(url), user: 'bot', channel: 'ops' },
    }),
    line: 'POST /hooks/a/b',
    fields: { username: 'bot', channel: '#ops' },
  },
  {
    type: 'zulip_chat',
    columns: (url) => ({
      username: 'bot@z',
      password: 'k',
      properties: { ...plainHost(url), stream: 'ops' },
    }),
    line: 'POST /api/v1/messages',
    fields: { type: 'stream', to: 'ops', topic: 'API <down>' },
    header: ['authorization', `Basic ${Buffer.from('bot@z:k').toString('base64')}`],
  },
  {
    type: 'ntfy',
    columns: (url) => ({ url: `ntfy://u:p@${new URL(url).host}/ops?Scheme=http` }),
    line: 'POST /',
    fields: {
      topic: 'ops',
      title: 'API <down>',
      message: 'It & its database',
      click: 'https://h.example/health',
    },
    header: ['authorization', `Basic ${Buffer.from('u:p').toString('base64')}`],
  },
  {
    type: 'opsgenie',
    columns: (url) => ({ password: 'key', properties: plainHost(url) }),
    line: 'POST /v2/alerts',
    fields: { message: 'API <down>', alias: 'k1', description: 'It & its database' },
    header: ['authorization', 'GenieKey key'],
  },
  {
    type: 'pushbullet',
    columns: (url) => ({ url, password: 'tok', properties: { targets: '#chan' } }),
    line: 'POST /v2/pushes',
    fields: { channel_tag: 'chan', guid: 'k1-#chan', title: 'API <down>' },
    header: ['access-token', 'tok'],
  },
  {
    type: 'pushover',
    columns: (url) => ({ url, username: 'user', password: 'tok' }),
    line: 'POST /1/messages.json',
    fields: { token: 'tok', user: 'user', title: 'API <down>', url: 'https://h.example/health' },
  },
  {
    type: 'ifttt',
    columns: (url) => ({ url, username: 'key', properties: { events: 'alert' } }),
    line: 'POST /trigger/alert/with/key/key',
    fields: { value1: 'API <down>', value3: 'https://h.example/health' },
  },
  {
    type: 'gotify',
    columns: (url) => ({ url: `gotify://${new URL(url).host}/tok?DisableTLS=yes` }),
    line: 'POST /message',
    fields: { title: 'API <down>', message: 'It & its database' },
    header: ['x-gotify-key', 'tok'],
  },
  {
    type: 'bark',
    columns: (url) => ({ url: `bark://:dev@${new URL(url).host}/?scheme=http` }),
    line: 'POST /push',
    fields: { device_key: 'dev', title: 'API <down>' },
  },
  {
    type: 'join',
    columns: (url) => ({ url, password: 'key', properties: { devices: 'd1' } }),
    line: 'GET /_ah/api/messaging/v1/sendPush?apikey=key&deviceIds=d1&title=API+%3Cdown%3E&text=It+%26+its+database',
    fields: {},
  },
  {
    type: 'generic_webhook',
    columns: (url) => ({ url: `generic+${url}/hook?MessageKey=text&TitleKey=head` }),
    line: 'POST /hook',
    fields: { text: 'It & its database', head: 'API <down>' },
  },
];

describe('a notification through', () => {
  it.each(CASES)('$type', async ({ type, columns, line, fields, header }) => {
    const { outcome, first } = await sent(type, columns);
    expect(outcome).toEqual({ kind: 'sent' });
    expect(first?.line).toBe(line);
    for (const [name, value] of Object.entries(fields)) expect(field(first?.body, name)).toEqual(value);
    if (header !== undefined) expect(first?.headers[header[0]]).toBe(header[1]);
  });

  it.each(CASES)('$type: waits as long as it says, and a refusal is final with its reason', async (given) => {
    const { type, columns } = given;
    const limited = (): Answered => ({ status: 429, headers: { 'retry-after': '7' }, body: { ok: false } });
    expect((await sent(type, columns, limited)).outcome).toMatchObject({ kind: 'later', retryAfterMs: 7000 });
    const refused = (): Answered => ({ status: 403, body: 'not for you' });
    const { outcome, asked } = await sent(type, columns, refused);
    expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringContaining('403') as unknown });
    expect(asked).toHaveLength(1);
    const down = (): Answered => ({ status: 503, body: '' });
    expect((await sent(type, columns, down)).outcome).toMatchObject({ kind: 'later' });
  });

  it.each(CASES)(
    '$type: a test says what went wrong, and nothing where it arrived',
    async ({ type, columns }) => {
      let status = 200;
      const server = await startLocalServer(() => ({ status, body: { ok: status === 200 } }));
      const call = { guard, signal: new AbortController().signal, key: 'k', now: () => 0 };
      try {
        const connection = connectionOf(type, columns(server.url));
        await testService(connection, call);
        expect(server.asked.length).toBeGreaterThan(0);
        status = 401;
        await expect(testService(connection, call)).rejects.toThrow('401');
      } finally {
        await server.close();
      }
    },
  );

  it('every type of connection that our forms know', () => {
    const tried = new Set([...CASES.map(({ type }) => type), 'matrix', 'email']);
    for (const { type } of NOTIFICATION_CONNECTIONS) expect(tried).toContain(type);
  });

  it('matrix: signs in as one device, and writes once into each room', async () => {
    const answer = ({ url }: Asked): Answered => {
      if (url.pathname.endsWith('/login')) return { body: { access_token: 'mtok' } };
      if (url.pathname.endsWith('/joined_rooms')) return { body: { joined_rooms: ['!a:m', '!b:m'] } };
      return { body: { event_id: '$1' } };
    };
    const columns = (url: string) => ({ url, username: 'bot', password: 'pw' });
    const { outcome, asked } = await sent('matrix', columns, answer);
    expect(outcome).toEqual({ kind: 'sent' });
    expect(asked.map(({ line }) => line)).toEqual([
      'POST /_matrix/client/v3/login',
      'GET /_matrix/client/v3/joined_rooms',
      'PUT /_matrix/client/v3/rooms/!a%3Am/send/m.room.message/k1',
      'PUT /_matrix/client/v3/rooms/!b%3Am/send/m.room.message/k1',
    ]);
    expect(field(asked[0]?.body, 'device_id')).toBe('HOLDFAST');
    expect(asked[2]?.headers['authorization']).toBe('Bearer mtok');
    expect(field(asked[2]?.body, 'formatted_body')).toContain('API &lt;down&gt;');
  });
});

describe('what a service says', () => {
  it('Slack refuses with 200, for good or for a while', async () => {
    const columns = (url: string) => ({ url, username: '#gone', password: 'xoxb' });
    const no = await sent('slack', columns, () => ({ body: { ok: false, error: 'channel_not_found' } }));
    expect(no.outcome).toEqual({ kind: 'failed', reason: 'Slack refused it: channel_not_found' });
    const busy = await sent('slack', columns, () => ({ body: { ok: false, error: 'ratelimited' } }));
    expect(busy.outcome).toMatchObject({ kind: 'later' });
  });

  it('Teams says in words, with 200, that it did not deliver', async () => {
    const properties = { group: 'g', tenant: 't', altID: 'a', groupOwner: 'o' };
    const outcomeOf = async (status: number) =>
      (
        await sent(
          'teams',
          (url) => ({ url, properties }),
          () => ({
            body: `Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error ${status} with ContextId x`,
          }),
        )
      ).outcome;
    expect(await outcomeOf(429)).toMatchObject({ kind: 'later' });
    expect(await outcomeOf(403)).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('403') as unknown,
    });
  });

  it('of several recipients only those are asked again that did not get it', async () => {
    let isBusy = true;
    const asked: string[] = [];
    const server = await startLocalServer(({ body }) => {
      const { chat_id: chat } = JSON.parse(body) as { chat_id: string };
      if (chat === '2' && isBusy)
        return { status: 429, body: { ok: false, description: 'Too Many', parameters: { retry_after: 9 } } };
      asked.push(chat);
      return { body: { ok: true } };
    });
    try {
      const connection = connectionOf('telegram', { url: server.url, password: 't', username: '1,2,3' });
      const outcome = await sendBy(connection);
      expect(outcome).toMatchObject({ kind: 'later', retryAfterMs: 9000, doneCalls: 1 });
      isBusy = false;
      expect(await sendBy(connection, { ...MESSAGE, doneCalls: 1 })).toEqual({ kind: 'sent' });
      expect(asked).toEqual(['1', '2', '3']);
    } finally {
      await server.close();
    }
  });

  it('of several recipients the others get it where one refuses, and that is said', async () => {
    const columns = (url: string) => ({ url, password: 't', username: '1,2,3' });
    const { outcome, asked } = await sent('telegram', columns, ({ body }) =>
      body.includes('"2"')
        ? { status: 403, body: { description: 'bot was blocked' } }
        : { body: { ok: true } },
    );
    expect(asked.map(({ body }) => field(body, 'chat_id'))).toEqual(['1', '2', '3']);
    expect(outcome).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('bot was blocked') as unknown,
    });
  });

  it('what a connection misses is named, and a test says so', async () => {
    const connection = connectionOf('ifttt', { username: 'key' });
    expect(await sendBy(connection)).toEqual({ kind: 'failed', reason: 'ifttt: events is missing' });
    const call = { guard, signal: new AbortController().signal, key: 'k', now: () => 0 };
    await expect(testService(connection, call)).rejects.toThrow('ifttt: events is missing');
  });
});
