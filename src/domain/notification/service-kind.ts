/** Services that take notifications, and by which types of connections and schemes of addresses they are known. */

export const SERVICE_KINDS = [
  'bark',
  'discord',
  'generic',
  'googlechat',
  'gotify',
  'ifttt',
  'join',
  'mattermost',
  'matrix',
  'ntfy',
  'opsgenie',
  'pushbullet',
  'pushover',
  'rocketchat',
  'slack',
  'smtp',
  'teams',
  'telegram',
  'zulip',
] as const;
export type ServiceKind = (typeof SERVICE_KINDS)[number];

const KINDS: ReadonlySet<string> = new Set(SERVICE_KINDS);
const isKind = (text: string): text is ServiceKind => KINDS.has(text);

/** Types of connections that are not called as their service is (contract §19.8). */
const OF_TYPE: ReadonlyMap<string, ServiceKind> = new Map([
  ['email', 'smtp'],
  ['google_chat', 'googlechat'],
  ['zulip_chat', 'zulip'],
  ['generic_webhook', 'generic'],
  ['webhook', 'generic'],
  ['http', 'generic'],
  ['slackwebhook', 'slack'],
]);
const OF_SCHEME: ReadonlyMap<string, ServiceKind> = new Map([
  ['smtps', 'smtp'],
  ['http', 'generic'],
  ['https', 'generic'],
]);

/** Null for a type whose connections take no notifications. */
export function kindOfType(type: string): ServiceKind | null {
  const plain = type.toLowerCase();
  return OF_TYPE.get(plain) ?? (isKind(plain) ? plain : null);
}

/** Null for a scheme that leads to no service. */
export function kindOfScheme(scheme: string): ServiceKind | null {
  return OF_SCHEME.get(scheme) ?? (isKind(scheme) ? scheme : null);
}
