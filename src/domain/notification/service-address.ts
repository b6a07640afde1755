/**
 * Where a notification goes: what a connection (contract §19.8) or an address such as `telegram://token@telegram?chats=1`
 * says about a service, as named parts. Pure: nothing is called. What a connection's columns say goes before its
 * address, which is made of them.
 */
import { kindOfScheme, kindOfType, type ServiceKind } from './service-kind.ts';

export interface ServiceAddress {
  kind: ServiceKind;
  /** Where its API is: scheme, host and port. */
  origin: string;
  /** By name, in lower case: token, user, password, channel … and what stands in the query. */
  parts: Readonly<Record<string, string>>;
  /** Of webhooks: the whole address. */
  url: string | null;
  isInsecureTls: boolean;
}

export interface ServiceValues {
  /** Of the connection; empty for a bare address. */
  type: string;
  url: string;
  username: string;
  password: string;
  properties: Readonly<Record<string, string>>;
  isInsecureTls: boolean;
}

type Parts = Record<string, string>;

interface Split {
  scheme: string;
  user: string;
  password: string;
  /** With its port. */
  host: string;
  path: readonly string[];
  query: Parts;
}

const SHAPE = /^([a-z][a-z0-9]*)(?:\+[a-z]+)?:\/\/(?:([^/?]*)@)?([^/?@]*)((?:\/[^?]*)?)(?:\?(.*))?$/is;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that begins no code stands for itself.
    return text;
  }
}

function split(url: string): Split | null {
  const [, scheme = '', login = '', host = '', path = '', query = ''] = SHAPE.exec(url.trim()) ?? [];
  if (scheme === '') return null;
  const colon = login.indexOf(':');
  const entries = query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...values] = pair.replaceAll('+', ' ').split('=');
      return [decoded(name).toLowerCase(), decoded(values.join('='))] as const;
    });
  return {
    scheme: scheme.toLowerCase(),
    user: decoded(colon < 0 ? login : login.slice(0, colon)),
    password: colon < 0 ? '' : decoded(login.slice(colon + 1)),
    host: decoded(host),
    path: path
      .split('/')
      .filter((part) => part !== '')
      .map(decoded),
    query: Object.fromEntries(entries),
  };
}

const PUBLIC: Readonly<Partial<Record<ServiceKind, string>>> = {
  discord: 'https://discord.com',
  ifttt: 'https://maker.ifttt.com',
  join: 'https://joinjoaomgcd.appspot.com',
  pushbullet: 'https://api.pushbullet.com',
  pushover: 'https://api.pushover.net',
  slack: 'https://slack.com',
  telegram: 'https://api.telegram.org',
};

/** What each service's address has in which place. */
const FROM_URL: Readonly<Record<ServiceKind, (url: Split) => Parts>> = {
  bark: ({ password, user, host }) => ({ token: password || user, host }),
  discord: ({ user, host }) => ({ token: user, id: host }),
  generic: () => ({}),
  googlechat: ({ host, path }) => ({ host, path: path.join('/') }),
  gotify: ({ host, path }) => ({ host, token: path.at(-1) ?? '', path: path.slice(0, -1).join('/') }),
  ifttt: ({ host }) => ({ token: host }),
  join: ({ user, password }) => ({ token: password || user }),
  mattermost: ({ user, host, path: [token = '', channel = ''] }) => ({ user, host, token, channel }),
  matrix: ({ user, password, host }) => ({ user, password, host }),
  ntfy: ({ user, password, host, path: [topic = ''] }) => ({ user, password, host, topic }),
  opsgenie: ({ host, path: [token = ''] }) => ({ host, token }),
  pushbullet: ({ host, path }) => ({ token: host, targets: path.join(',') }),
  pushover: ({ user, password, host }) => ({ token: password || user, user: host }),
  rocketchat: ({ user, host, path: [tokena = '', tokenb = '', channel = ''] }) => ({
    user,
    host,
    tokena,
    tokenb,
    channel,
  }),
  // `xoxb:…@channel` and `hook:…@webhook` are how the address is written elsewhere.
  slack: ({ user, password, host }) => ({
    token: password === '' ? user : `${user}${user === 'hook' ? ':' : '-'}${password}`,
    channel: host,
  }),
  smtp: ({ user, password, host }) => ({ user, password, host }),
  teams: ({ user, host, path: [altid = '', groupowner = ''] }) => ({
    group: user,
    tenant: host,
    altid,
    groupowner,
  }),
  telegram: ({ user, password }) => ({ token: password === '' ? user : `${user}:${password}` }),
  zulip: ({ user, password, host }) => ({ user, password, host }),
};

/** Which part the two columns of a connection are, of each service. */
const COLUMNS: Readonly<Record<ServiceKind, readonly [username: string, password: string]>> = {
  bark: ['user', 'token'],
  discord: ['id', 'token'],
  generic: ['user', 'password'],
  googlechat: ['key', 'token'],
  gotify: ['user', 'token'],
  ifttt: ['token', ''],
  join: ['user', 'token'],
  mattermost: ['user', 'token'],
  matrix: ['user', 'password'],
  ntfy: ['user', 'password'],
  opsgenie: ['user', 'token'],
  pushbullet: ['user', 'token'],
  pushover: ['user', 'token'],
  rocketchat: ['tokena', 'tokenb'],
  slack: ['channel', 'token'],
  smtp: ['user', 'password'],
  teams: ['', ''],
  telegram: ['chats', 'token'],
  zulip: ['user', 'password'],
};

const isYes = (text: string | undefined) => /^(?:yes|true|1|on)$/i.test(text ?? '');
const HOST = /^(?:[\p{L}\p{N}_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/iu;

/** Scheme, host and port of an address of the web; null for anything else. */
function webOrigin(url: string): string | null {
  const [, scheme = '', host = ''] = /^(https?):\/\/(?:[^@/?#]*@)?([^/?#]+)/i.exec(url.trim()) ?? [];
  return HOST.test(host) ? `${scheme.toLowerCase()}://${host}` : null;
}

const filled = (parts: Parts): Parts =>
  Object.fromEntries(Object.entries(parts).filter(([name, value]) => name !== '' && value !== ''));

/** Host with its port, as the parts say it. */
function hostOf(kind: ServiceKind, parts: Parts): string {
  const host = kind === 'teams' ? parts['host'] || 'outlook.office.com' : (parts['host'] ?? '');
  const port = parts['port'] ?? '';
  return host === '' || port === '' || /:\d+$/.test(host) ? host : `${host}:${port}`;
}

function originOf(kind: ServiceKind, parts: Parts): string | null {
  if (kind === 'slack' && parts['token']?.startsWith('hook:') === true) return 'https://hooks.slack.com';
  const fixed = PUBLIC[kind];
  if (fixed !== undefined) return fixed;
  const host = hostOf(kind, parts);
  if (host === '') return null;
  const isPlain = isYes(parts['disabletls']) || parts['scheme']?.toLowerCase() === 'http';
  const scheme = kind === 'smtp' ? 'smtp' : isPlain ? 'http' : 'https';
  return HOST.test(host) ? `${scheme}://${host}` : null;
}

/** Parameters of a webhook's address that say how it is called (contract §19.8); the rest belong to the service. */
export const WEBHOOK_PARAMETERS: ReadonlySet<string> = new Set([
  'contenttype',
  'messagekey',
  'titlekey',
  'requestmethod',
  'disabletls',
  'template',
]);

/** `generic+https://…` and `generic://…` as what is called. */
function webhookOf(url: string, parts: Parts): string {
  const [, inner] = /^generic\+(.*)$/is.exec(url) ?? [];
  if (inner !== undefined) return inner;
  return url.replace(/^generic:/i, isYes(parts['disabletls']) ? 'http:' : 'https:');
}

function webhook(values: ServiceValues, parts: Parts): ServiceAddress | null {
  // As it was typed: the address that a form makes of it cuts into a query of its own.
  const typed = values.properties['url'] ?? '';
  const url = webOrigin(typed) === null ? webhookOf(values.url, parts) : typed;
  const origin = webOrigin(url);
  return origin === null
    ? null
    : { kind: 'generic', origin, parts, url, isInsecureTls: values.isInsecureTls };
}

/** Null where no service is told apart or its host is missing. */
export function serviceAddress(values: ServiceValues): ServiceAddress | null {
  const url = split(values.url);
  const kind = kindOfType(values.type) ?? (url === null ? null : kindOfScheme(url.scheme));
  if (kind === null) return null;
  const isProviders = url !== null && kindOfScheme(url.scheme) === kind && kind !== 'generic';
  const [user, password] = COLUMNS[kind];
  const properties = Object.entries(values.properties).map(([name, text]) => [name.toLowerCase(), text]);
  const query = Object.entries(url?.query ?? {});
  const said = kind === 'generic' ? query.filter(([name]) => WEBHOOK_PARAMETERS.has(name)) : query;
  const parts: Parts = {
    ...Object.fromEntries(said),
    ...(isProviders ? filled(FROM_URL[kind](url)) : {}),
    ...filled(Object.fromEntries(properties) as Parts),
    ...filled({ [user]: values.username, [password]: values.password }),
  };
  if (kind === 'teams' && isProviders) parts['host'] = url.query['host'] ?? parts['host'] ?? '';
  if (kind === 'googlechat') parts['host'] ||= 'chat.googleapis.com';
  if (kind === 'generic') return webhook(values, parts);
  // A service of one's own, or a webhook that the service gave: the address as it stands.
  const own = webOrigin(values.url);
  const origin = own ?? originOf(kind, parts);
  if (origin === null) return null;
  return { kind, origin, parts, url: own === null ? null : values.url, isInsecureTls: values.isInsecureTls };
}
