/** Services that bring a notification to phones, pagers and automations: how each one's documented HTTP API is called. */
import { basicAuth, cut, formCall, jsonCall, type CallsOf } from './sender.ts';
import { listOf, need, optionOf } from './service-options.ts';

const NTFY_MESSAGE = 4000;
const OPSGENIE_MESSAGE = 130;
const OPSGENIE_TEXT = 15_000;
const OPSGENIE_ALIAS = 512;
const PUSHOVER_TITLE = 250;
const PUSHOVER_TEXT = 1024;
const PUSH_TEXT = 4000;

/** https://docs.ntfy.sh/publish/#publish-as-json; a token stands as the password of nobody. */
export const ntfy: CallsOf = (message, address) => {
  const { user = '', password = '' } = address.parts;
  const topic = optionOf(message, address, 'topic') || need(address, 'topic');
  const priority = Number(optionOf(message, address, 'priority'));
  const [link] = message.links ?? [];
  const tags = listOf(optionOf(message, address, 'tags'));
  const body = {
    topic,
    title: message.title,
    message: cut(message.body, NTFY_MESSAGE),
    ...(priority >= 1 && priority <= 5 ? { priority } : {}),
    ...(tags.length === 0 ? {} : { tags }),
    ...(link === undefined ? {} : { click: link.url }),
  };
  const headers = user === '' && password === '' ? {} : basicAuth(user, password);
  return [jsonCall(`${address.origin}/`, body, headers)];
};

/** https://docs.opsgenie.com/docs/alert-api#create-alert; the alias makes a repeated call the same alert. */
export const opsgenie: CallsOf = (message, address) => {
  const priority = optionOf(message, address, 'priority');
  const tags = listOf(optionOf(message, address, 'tags'));
  const [link] = message.links ?? [];
  const body = {
    message: cut(message.title || message.body, OPSGENIE_MESSAGE),
    description: cut(message.body, OPSGENIE_TEXT),
    alias: cut(optionOf(message, address, 'alias') || message.key, OPSGENIE_ALIAS),
    source: 'Holdfast',
    ...(/^P[1-5]$/.test(priority) ? { priority } : {}),
    ...(tags.length === 0 ? {} : { tags }),
    ...(link === undefined ? {} : { details: { link: link.url } }),
  };
  return [
    jsonCall(`${address.origin}/v2/alerts`, body, { authorization: `GenieKey ${need(address, 'token')}` }),
  ];
};

/** https://pushover.net/api#messages; devices are named with commas. */
export const pushover: CallsOf = (message, address) => {
  const [link] = message.links ?? [];
  const optional = {
    device: optionOf(message, address, 'devices', 'device'),
    priority: optionOf(message, address, 'priority'),
    sound: optionOf(message, address, 'sound'),
    url: link?.url ?? '',
    url_title: link?.label ?? '',
  };
  const given = Object.entries(optional).filter(([, value]) => value !== '');
  return [
    formCall(`${address.origin}/1/messages.json`, {
      token: need(address, 'token'),
      user: need(address, 'user'),
      title: cut(message.title, PUSHOVER_TITLE),
      message: cut(message.body || message.title, PUSHOVER_TEXT),
      ...Object.fromEntries(given),
    }),
  ];
};

function pushbulletTarget(target: string): Record<string, string> {
  if (target.startsWith('#')) return { channel_tag: target.slice(1) };
  return target.includes('@') ? { email: target } : { device_iden: target };
}

/** https://docs.pushbullet.com/#create-push; `guid` makes a repeated push the same one. */
export const pushbullet: CallsOf = (message, address) => {
  const headers = { 'access-token': need(address, 'token') };
  const targets = listOf(optionOf(message, address, 'targets'));
  const [link] = message.links ?? [];
  const push = {
    type: link === undefined ? 'note' : 'link',
    title: message.title,
    body: cut(message.body, PUSH_TEXT),
    ...(link === undefined ? {} : { url: link.url }),
  };
  return (targets.length === 0 ? [''] : targets).map((target) =>
    jsonCall(
      `${address.origin}/v2/pushes`,
      { ...push, guid: `${message.key}-${target}`, ...(target === '' ? {} : pushbulletTarget(target)) },
      headers,
    ),
  );
};

/** https://ifttt.com/maker_webhooks: an event that an applet waits for; its name is the address's or the rule's. */
export const ifttt: CallsOf = (message, address) => {
  const key = encodeURIComponent(need(address, 'token'));
  const events = listOf(optionOf(message, address, 'events') || need(address, 'events'));
  const [link] = message.links ?? [];
  const body = { value1: message.title, value2: cut(message.body, PUSH_TEXT), value3: link?.url ?? '' };
  return events.map((event) =>
    jsonCall(`${address.origin}/trigger/${encodeURIComponent(event)}/with/key/${key}`, body),
  );
};

/** https://gotify.net/docs/pushmsg */
export const gotify: CallsOf = (message, address) => {
  const path = address.parts['path'] ?? '';
  const priority = Number(optionOf(message, address, 'priority'));
  return [
    jsonCall(
      `${address.origin}${path === '' ? '' : `/${path}`}/message`,
      {
        title: message.title,
        message: message.body || message.title,
        ...(Number.isInteger(priority) && priority > 0 ? { priority } : {}),
      },
      { 'x-gotify-key': need(address, 'token') },
    ),
  ];
};

/** https://github.com/Finb/bark-server/blob/master/docs/API_V2.md */
export const bark: CallsOf = (message, address) => {
  const [link] = message.links ?? [];
  return [
    jsonCall(`${address.origin}/push`, {
      device_key: need(address, 'token'),
      title: message.title,
      body: cut(message.body || message.title, PUSH_TEXT),
      id: message.key,
      ...(link === undefined ? {} : { url: link.url }),
    }),
  ];
};

/** https://joaoapps.com/join/api/ */
export const join: CallsOf = (message, address) => {
  const url = new URL(`${address.origin}/_ah/api/messaging/v1/sendPush`);
  url.searchParams.set('apikey', need(address, 'token'));
  url.searchParams.set('deviceIds', optionOf(message, address, 'devices') || need(address, 'devices'));
  url.searchParams.set('title', message.title);
  url.searchParams.set('text', cut(message.body, PUSH_TEXT));
  return [{ method: 'GET', url: url.href }];
};
