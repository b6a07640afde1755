/**
 * What of a call's headers goes on to a cluster, and what of its answer comes back. Invariants: who the call is for is
 * said by this server alone (every header of impersonation, of front proxies and of sign-in is left out); nothing that
 * a cluster answers sets a cookie or asks a browser to sign in.
 */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

const SENT: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'content-encoding',
  'content-length',
  'content-type',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'kubectl-command',
  'kubectl-session',
  'range',
  'user-agent',
  'x-stream-protocol-version',
]);
const SENT_TO_UPGRADE: ReadonlySet<string> = new Set([
  'sec-websocket-extensions',
  'sec-websocket-key',
  'sec-websocket-protocol',
  'sec-websocket-version',
  'upgrade',
]);
const ANSWERED: ReadonlySet<string> = new Set([
  'audit-id',
  'content-disposition',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'etag',
  'last-modified',
  'retry-after',
  'warning',
  'x-stream-protocol-version',
]);
const ANSWERED_TO_UPGRADE: ReadonlySet<string> = new Set([
  'connection',
  'sec-websocket-accept',
  'sec-websocket-extensions',
  'sec-websocket-protocol',
  'upgrade',
]);
/** A way of WebSocket clients to sign in at a cluster, as somebody else than the call is for. */
const TOKEN_PROTOCOL = /^base64url\.bearer\.authorization\.k8s\.io\./i;

/** As whom the cluster is to judge the call. */
export interface ProxiedPerson {
  user: string;
  groups: readonly string[];
}

/** Names of people in clusters begin so: none of theirs can be one of the cluster's own. */
const PREFIX = 'holdfast:';

const PERSONS_NAME = /^holdfast:[\w.:-]{1,200}$/;

/** A user or group that only a server of ours gives. */
export function isPersonsName(name: string): boolean {
  return PERSONS_NAME.test(name);
}

/** By id, because people change their own addresses; in a group for each role. */
export function personAtCluster(principal: { personId: string; roles: readonly string[] }): ProxiedPerson {
  return {
    user: `${PREFIX}${principal.personId}`,
    groups: principal.roles.map((role) => `${PREFIX}${role}`),
  };
}

function withoutTokens(protocols: string): string {
  return protocols
    .split(',')
    .map((one) => one.trim())
    .filter((one) => !TOKEN_PROTOCOL.test(one))
    .join(', ');
}

/** `own` is what the cluster's connection signs in with. */
export function headersToCluster(
  given: IncomingHttpHeaders,
  { own, person, isUpgrade }: { own: Record<string, string>; person: ProxiedPerson; isUpgrade: boolean },
): OutgoingHttpHeaders {
  const sent: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(given))
    if (SENT.has(name) || (isUpgrade && SENT_TO_UPGRADE.has(name))) sent[name] = value;
  const protocols = sent['sec-websocket-protocol'];
  if (typeof protocols === 'string') sent['sec-websocket-protocol'] = withoutTokens(protocols);
  const streams = sent['x-stream-protocol-version'];
  // Each is offered in a line of its own, and clusters read them so.
  if (typeof streams === 'string') sent['x-stream-protocol-version'] = streams.split(/,\s*/);
  for (const [name, value] of Object.entries(own))
    if (name !== 'accept' && !name.toLowerCase().startsWith('impersonate-')) sent[name] = value;
  if (isUpgrade) sent['connection'] = 'Upgrade';
  return { ...sent, 'impersonate-user': person.user, 'impersonate-group': [...person.groups] };
}

/** What comes from a cluster runs in no browser, whoever opens it there. */
const LOCKED_UP = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** A redirect within the cluster stays below `mount`; one to elsewhere leads nowhere. */
export function headersFromCluster(
  given: IncomingHttpHeaders,
  { mount, isUpgrade }: { mount: string; isUpgrade: boolean },
): OutgoingHttpHeaders {
  const answered: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(given))
    if (ANSWERED.has(name) || (isUpgrade && ANSWERED_TO_UPGRADE.has(name))) answered[name] = value;
  const { location } = given;
  if (location?.startsWith('/') === true && !location.startsWith('//'))
    answered['location'] = `${mount}${location}`;
  return isUpgrade ? answered : { ...answered, ...LOCKED_UP };
}
