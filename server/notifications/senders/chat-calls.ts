/** Chats: how each one's documented HTTP API is called with a notification. Matrix, which takes several steps, is apart. */
import { basicAuth, cut, formCall, jsonCall, type CallsOf, type OutgoingNotification } from './sender.ts';
import { listOf, need, optionOf } from './service-options.ts';
import { lookupTable } from '../../../src/lib/lookup-table.ts';

const DISCORD_BODY = 4096;
const DISCORD_TITLE = 256;
const TELEGRAM_TEXT = 4096;
const SLACK_HEADER = 150;
const SLACK_SECTION = 3000;
const ZULIP_TOPIC = 60;
const ZULIP_TEXT = 10_000;
const CHAT_TEXT = 4000;
const HOOK_PREFIX = 'hook:';

/** Title, body and links as one text. */
function plain({ title, body, links = [] }: OutgoingNotification): string {
  return [title, body, ...links.map(({ label, url }) => `${label}: ${url}`)]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The same with the title in bold and links as Markdown has them. */
function markdown({ title, body, links = [] }: OutgoingNotification): string {
  const shown = links.map(({ label, url }) => `[${label}](${url})`).join(' · ');
  return [title === '' ? '' : `**${title}**`, body, shown].filter((part) => part !== '').join('\n\n');
}

/** https://discord.com/developers/docs/resources/webhook#execute-webhook */
export const discord: CallsOf = (message, address) => {
  const id = encodeURIComponent(need(address, 'id'));
  const token = encodeURIComponent(need(address, 'token'));
  const thread = optionOf(message, address, 'thread_id');
  const query = thread === '' ? '' : `?thread_id=${encodeURIComponent(thread)}`;
  const { title, body } = message;
  const shown = markdown({ ...message, title: '' });
  const embed = {
    title: cut(title, DISCORD_TITLE),
    description: cut(shown === '' ? body : shown, DISCORD_BODY),
  };
  return [
    jsonCall(`${address.origin}/api/webhooks/${id}/${token}${query}`, {
      embeds: [embed],
      allowed_mentions: { parse: [] },
    }),
  ];
};

/** https://core.telegram.org/bots/api#sendmessage, one message for each chat. */
export const telegram: CallsOf = (message, address) => {
  const token = encodeURIComponent(need(address, 'token')).replaceAll('%3A', ':');
  const chats = listOf(optionOf(message, address, 'chats', 'channels'));
  if (chats.length === 0) need(address, 'chats');
  return chats.map((chat_id) =>
    jsonCall(`${address.origin}/bot${token}/sendMessage`, {
      chat_id,
      text: cut(plain(message), TELEGRAM_TEXT),
      disable_web_page_preview: true,
    }),
  );
};

const SLACK_SIGNS = lookupTable<string>({ '&': '&amp;', '<': '&lt;', '>': '&gt;' });
const slackText = (text: string) => text.replace(/[&<>]/g, (sign) => SLACK_SIGNS[sign] ?? sign);

function slackBlocks({ title, body, links = [] }: OutgoingNotification): object[] {
  const section = (text: string) => ({
    type: 'section',
    text: { type: 'mrkdwn', text: cut(text, SLACK_SECTION) },
  });
  const shown = links.map(({ label, url }) => `<${url}|${slackText(label)}>`).join('  ');
  return [
    ...(title === ''
      ? []
      : [{ type: 'header', text: { type: 'plain_text', text: cut(title, SLACK_HEADER), emoji: true } }]),
    ...(body === '' ? [] : [section(slackText(body))]),
    ...(shown === '' ? [] : [section(shown)]),
  ];
}

/** https://docs.slack.dev/reference/methods/chat.postMessage, and incoming webhooks. */
export const slack: CallsOf = (message, address) => {
  const token = address.parts['token'] ?? '';
  const body = { text: slackText(message.title || message.body), blocks: slackBlocks(message) };
  if (token.startsWith(HOOK_PREFIX)) {
    const [team = '', channel = '', key = ''] = token.slice(HOOK_PREFIX.length).split('-');
    return [
      jsonCall(`${address.origin}/services/${[team, channel, key].map(encodeURIComponent).join('/')}`, body),
    ];
  }
  // What is called a webhook of Slack has its whole address, and no token.
  if (token === '' && address.url !== null) return [jsonCall(address.url, body)];
  const channel = optionOf(message, address, 'channel') || need(address, 'channel');
  const username = optionOf(message, address, 'botname');
  return [
    jsonCall(
      `${address.origin}/api/chat.postMessage`,
      { channel, ...body, unfurl_links: false, ...(username === '' ? {} : { username }) },
      {
        authorization: `Bearer ${need(address, 'token')}`,
        'content-type': 'application/json; charset=utf-8',
      },
    ),
  ];
};

/** https://learn.microsoft.com/outlook/actionable-messages/message-card-reference, to an incoming webhook. */
export const teams: CallsOf = (message, address) => {
  const { title, body, links = [] } = message;
  const group = encodeURIComponent(address.parts['group'] ?? '');
  const [tenant, altId, owner] = ['tenant', 'altid', 'groupowner'].map((part) =>
    encodeURIComponent(need(address, part)),
  );
  const path = `${group}@${tenant}/IncomingWebhook/${altId}/${owner}`;
  const kind = address.origin.endsWith('outlook.office.com') ? 'webhook' : 'webhookb2';
  return [
    jsonCall(`${address.origin}/${kind}/${path}`, {
      '@type': 'MessageCard',
      '@context': 'https://schema.org/extensions',
      summary: title || cut(body, SLACK_HEADER),
      title,
      text: cut(body, CHAT_TEXT),
      potentialAction: links.map(({ label, url }) => ({
        '@type': 'OpenUri',
        name: label,
        targets: [{ os: 'default', uri: url }],
      })),
    }),
  ];
};

/** https://developers.google.com/workspace/chat/quickstart/webhooks */
export const googlechat: CallsOf = (message, address) => {
  const { parts } = address;
  const space = parts['webhook'] ?? '';
  const path = parts['path'] || `v1/spaces/${encodeURIComponent(space || need(address, 'webhook'))}/messages`;
  const url = new URL(`${address.origin}/${path}`);
  url.searchParams.set('key', need(address, 'key'));
  url.searchParams.set('token', need(address, 'token'));
  // A repeated request with the same id is answered with the message of the first one.
  url.searchParams.set('requestId', message.key);
  const bold = message.title === '' ? '' : `*${message.title}*`;
  return [jsonCall(url.href, { text: cut(plain({ ...message, title: bold }), CHAT_TEXT) })];
};

const hook = (message: OutgoingNotification, more: { username: string; channel: string }) => {
  const entries = Object.entries(more).filter(([, value]) => value !== '');
  return { text: cut(markdown(message), CHAT_TEXT), ...Object.fromEntries(entries) };
};

/** https://developers.mattermost.com/integrate/webhooks/incoming */
export const mattermost: CallsOf = (message, address) => {
  const channel = optionOf(message, address, 'channel');
  const body = hook(message, { username: address.parts['user'] ?? '', channel });
  return [jsonCall(`${address.origin}/hooks/${encodeURIComponent(need(address, 'token'))}`, body)];
};

/** https://docs.rocket.chat/docs/integrations: an incoming webhook; a bare channel gets its sign. */
export const rocketchat: CallsOf = (message, address) => {
  const named = optionOf(message, address, 'channel');
  const channel = named === '' || /^[#@]/.test(named) ? named : `#${named}`;
  const body = hook(message, { username: address.parts['user'] ?? '', channel });
  const [a, b] = ['tokena', 'tokenb'].map((part) => encodeURIComponent(need(address, part)));
  return [jsonCall(`${address.origin}/hooks/${a}/${b}`, body)];
};

/** https://zulip.com/api/send-message; without a stream it is a direct message, to the bot itself unless somebody is named. */
export const zulip: CallsOf = (message, address) => {
  const user = need(address, 'user');
  const headers = basicAuth(user, need(address, 'password'));
  const stream = optionOf(message, address, 'stream');
  const content = cut(markdown({ ...message, title: stream === '' ? message.title : '' }), ZULIP_TEXT);
  const topic = optionOf(message, address, 'topic') || message.title || 'Notifications';
  const where: Record<string, string> =
    stream === ''
      ? { type: 'direct', to: JSON.stringify(listOf(optionOf(message, address, 'to') || user)) }
      : { type: 'stream', to: stream, topic: cut(topic, ZULIP_TOPIC) };
  return [formCall(`${address.origin}/api/v1/messages`, { ...where, content }, headers)];
};
