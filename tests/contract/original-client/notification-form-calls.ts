/**
 * For tests only: what the original client's forms of notifications send beside the plain ones (contract §9, §19.7), and
 * the connections that notifications go through, with the addresses that its forms make (§19.8).
 */
import { expect } from 'vitest';
import type { Call } from './call.ts';
import { A, CANARY, CHECK, COMPONENT, CONFIG, CONNECTION, PERSON, TEAM } from './ids.ts';

const firstOf = (json: readonly unknown[], expected: object) => expect(json[0]).toMatchObject(expected);
const HISTORY = '/api/db/notification_send_history_summary?select=*&order=created_at.desc';
const RULES = `/api/db/notifications_summary?select=*,person:person_id(${A}),team:team_id(id,name,icon),created_by(${A})`;
/** Titles of columns that sort (§19.11), as columns. */
const SORTED =
  `events title filter pending failed sent avg_duration_ms repeat_interval created_at updated_at`.split(' ');

const LISTS: Call[] = [
  { section: '9', name: 'the send history, all of it', path: HISTORY, isCounted: true, atLeast: 1 },
  ...[
    'status.filter=sent,error,pending,cancelled,repeat-interval,silenced',
    'resource_type.filter=!canary,!component&status.filter=!silenced,!repeat-interval',
    'resource_type.filter=check',
  ].map((filters) => ({
    section: '9',
    name: `the send history with ${filters}`,
    path: `${HISTORY}&limit=50&offset=0&${filters}`,
    isCounted: true as const,
    atLeast: 1,
  })),
  ...SORTED.map((column) => ({
    section: '9',
    name: `the rules by ${column}`,
    path: `${RULES}&order=${column}.asc&limit=50&offset=0`,
    isCounted: true as const,
    atLeast: 1,
  })),
];

const made = (recipient: object) => ({
  events: ['check.failed', 'component.unhealthy'],
  repeat_interval: '1h',
  source: 'UI',
  created_by: PERSON,
  ...recipient,
});

const RULE_FORMS: Call[] = [
  {
    section: '9',
    name: 'a rule for a team, repeated each month',
    method: 'POST',
    path: '/api/db/notifications',
    body: made({ team_id: TEAM, repeat_interval: '1m' }),
    status: 201,
    check: (json: object[]) => firstOf(json, { team_id: TEAM, repeat_interval: '1m', person_id: null }),
  },
  {
    section: '9',
    name: 'a rule for a connection, with an interval of one’s own',
    method: 'POST',
    path: '/api/db/notifications',
    body: made({ custom_services: [{ connection: CONNECTION }], repeat_interval: '45m', properties: {} }),
    status: 201,
    check: (json: object[]) => firstOf(json, { custom_services: [{ connection: CONNECTION }] }),
  },
  {
    section: '9',
    name: 'a rule without an event',
    method: 'POST',
    path: '/api/db/notifications',
    body: { ...made({ person_id: PERSON }), events: [] },
    status: 400,
  },
];

const SILENCE = '/api/notification/silence';
const silence = (name: string, body: object, status = 200): Call => ({
  section: '9',
  name: `a silence ${name}`,
  method: 'POST',
  path: SILENCE,
  body,
  status,
});

const SILENCE_FORMS: Call[] = [
  // The end of each step of its list (§19.3).
  ...'5m 15m 30m 1h 3h 6h 12h 24h 2d 7d 30d 90d 6M 1y 2y 5y'
    .split(' ')
    .map((step) => silence(`for ${step}`, { check_id: CHECK, from: 'now', until: `now+${step}` })),
  silence('of a component and all below', {
    component_id: COMPONENT,
    from: 'now',
    until: 'now+1h',
    description: 'deploy',
    recursive: true,
  }),
  silence('of a canary', { canary_id: CANARY, from: 'now', until: 'now+1h' }),
  silence('with times of their own', {
    config_id: CONFIG,
    from: '2030-01-31T12:00:00Z',
    until: '2030-02-01T12:00:00Z',
  }),
  silence(
    'with times without a zone [!]',
    { config_id: CONFIG, from: '2030-01-31 12:00', until: '2030-02-01 12:00' },
    400,
  ),
  silence('with an end that is no time', { config_id: CONFIG, from: 'now', until: 'later' }, 400),
];

/** The columns that each form writes; properties are texts. */
const CONNECTIONS: Record<string, object> = {
  discord: { username: '123', password: 'token', url: 'discord://$(password)@123' },
  email: {
    username: 'u',
    password: 'p',
    insecure_tls: false,
    url: 'smtp://$(username):$(password)@mail.example.com:587/?UseStartTLS=false&Encryption=Auto&Auth=Unknown',
    properties: { host: 'mail.example.com', port: '587', from: 'a@example.com', fromName: 'Ops' },
  },
  google_chat: {
    username: 'k',
    password: 't',
    url: 'googlechat://chat.googleapis.com/v1/spaces/room/messages?key=$(username)&token=$(password)',
    properties: { webhook: 'room' },
  },
  ifttt: { username: 'hook', url: 'ifttt://hook' },
  mattermost: {
    username: 'bot',
    password: 'p',
    url: 'mattermost://bot@chat.example.com/$(password)/ops',
    properties: { host: 'chat.example.com', channel: 'ops' },
  },
  matrix: {
    username: 'bot',
    password: 'p',
    insecure_tls: true,
    url: 'matrix://bot:$(password)@matrix.example.com/?DisableTLS=true',
    properties: { host: 'matrix.example.com' },
  },
  ntfy: {
    username: 'bot',
    password: 'p',
    insecure_tls: true,
    url: 'ntfy://bot:$(password)@ntfy.sh/ops?Scheme=http',
    properties: { host: 'ntfy.sh', topic: 'ops' },
  },
  opsgenie: {
    password: 'key',
    url: 'opsgenie://api.opsgenie.com:443/$(password)',
    properties: { host: 'api.opsgenie.com', port: '443' },
  },
  pushbullet: { password: 't', url: 'pushbullet://$(password)/phone', properties: { targets: 'phone' } },
  pushover: { username: 'me', password: 't', url: 'pushover://:$(password)@me/' },
  rocketchat: {
    username: 'a',
    password: 'b',
    url: 'rocketchat://bot@chat.example.com:443/$(username)/$(password)/ops',
    properties: { user: 'bot', host: 'chat.example.com', port: '443', channel: 'ops' },
  },
  slack: {
    username: '#ops',
    password: 'xoxb',
    url: 'slack://$(password)@#ops',
    properties: { BotName: 'Holdfast' },
  },
  teams: {
    url: 'teams://group@tenant/alt/owner?host=outlook.office.com',
    properties: { group: 'group', tenant: 'tenant', altID: 'alt', groupOwner: 'owner' },
  },
  telegram: { username: '@ops', password: 't', url: 'telegram://$(password)@telegram/?Chats=@ops' },
  // [!] It never sets the mail address of the bot,
  zulip_chat: {
    username: 'bot@example.com',
    password: 'key',
    url: 'zulip://undefined:$(password)@chat.example.com/',
    properties: { host: 'chat.example.com' },
  },
  // [!] and puts a user name that is not there where the address was typed.
  generic_webhook: {
    insecure_tls: false,
    url: 'generic+undefined?ContentType=application/json&MessageKey=message&TitleKey=title&RequestMethod=POST&DisableTLS=false',
    properties: { contentType: 'application/json', requestMethod: 'POST', key: 'message', titleKey: 'title' },
  },
};

const CONNECTION_FORMS: Call[] = Object.entries(CONNECTIONS).map(([type, columns]) => ({
  section: '10',
  name: `a connection of type ${type} is made`,
  method: 'POST',
  path: '/api/db/connections',
  body: { name: `for ${type}`, namespace: 'default', type, created_by: PERSON, ...columns },
  status: 201,
  columns: 'id type url username password properties insecure_tls',
  check: (json: object[]) => firstOf(json, { type, name: `for ${type}` }),
}));

export const NOTIFICATION_FORM_CALLS = [...LISTS, ...RULE_FORMS, ...SILENCE_FORMS, ...CONNECTION_FORMS];
