/** From a responder's row to a call and the adapter that makes it; which adapter speaks for which type. */
import { createRedactor } from '../../platform/crypto/redact.ts';
import { findConnectionByReference } from '../../connections/connection-query.ts';
import type { SecretReader } from '../../connections/connection-values.ts';
import { createSecretScope } from '../../connections/secret-scope.ts';
import type { SecretScope } from '../../connections/secret-scope.ts';
import type { Opener } from '../../platform/crypto/sealed-values.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { EgressGuard } from '../../platform/egress/egress-guard.ts';
import type { MailTransport } from '../../platform/mail/mail-transport.ts';
import type { Adapter, AdapterContext, Call, Client, IncidentFacts } from './adapters/adapter.ts';
import type { CallRow } from './adapters/call-query.ts';
import { createEmailAdapter } from './adapters/email-adapter.ts';
import { createJiraAdapter } from './adapters/jira-adapter.ts';
import { MESSAGES } from './adapters/messages.ts';
import { unusable } from './adapters/outside-failure.ts';
import { fieldsOf, textOf } from './adapters/responder-fields.ts';
import { createServiceNowAdapter } from './adapters/servicenow-adapter.ts';
import { clientOf, isReachable, resolveClient } from './adapters/team-client.ts';
import { createWebhookAdapter } from './adapters/webhook-adapter.ts';
import { trimEnd } from '../../../src/lib/trim-end.ts';

export interface OpenCallDeps {
  db: Queryable;
  guard: EgressGuard;
  secret: SecretReader;
  /** Opens what the database keeps sealed. */
  sealer: Opener;
  /** Null where no mail can be sent. */
  mail: Pick<MailTransport, 'send' | 'isFile'> | null;
  now: () => number;
  publicUrl: () => string;
}

export interface OpenCall {
  call: Call;
  adapter: Adapter;
  linkUrl: string;
}

const NO_CLIENT: Client = {
  name: 'email',
  url: '',
  username: '',
  password: '',
  token: '',
  secret: '',
  statusUrl: '',
  statuses: {},
  linkUrl: '',
  isInsecureTls: false,
};

/** `person` for people, else what was chosen in the form. */
export function typeOf({ properties, team_id: teamId }: Pick<CallRow, 'properties' | 'team_id'>): string {
  if (teamId === null) return 'person';
  const chosen =
    typeof properties === 'object' && properties !== null && 'responderType' in properties
      ? properties.responderType
      : null;
  return textOf(chosen);
}

const isMailType = (type: string) => type === 'email' || type === 'person';

/** True when somebody outside can be told; else the responder is only recorded (schema §8.2). */
export function isCallable(row: CallRow, mail: unknown): boolean {
  const type = typeOf(row);
  if (type === 'person') return mail !== null && (row.person_email ?? '').includes('@');
  if (type === 'email') return true;
  const named = clientOf(row.clients, type);
  return named !== null && isReachable(named.client);
}

/** A type that isn't known is a webhook. */
export function adapterOf(type: string, context: AdapterContext): Adapter {
  switch (type) {
    case 'email':
    case 'person':
      return createEmailAdapter(context);
    case 'jira':
      return createJiraAdapter(context);
    case 'service_now':
    case 'servicenow':
      return createServiceNowAdapter(context);
    default:
      return createWebhookAdapter(context);
  }
}

function incidentOf(row: CallRow, publicUrl: string): IncidentFacts {
  const { incident_id: id, incident_number: number, title, description, severity, type, status } = row;
  return {
    id,
    number,
    title,
    description,
    severity,
    type,
    status,
    url: `${trimEnd(publicUrl, '/')}/incidents/${id}`,
  };
}

/** The secrets of one call for a team, and the guard that keeps them to where they may go. */
export function scopeOf(
  isGranted: boolean,
  { db, guard, secret, sealer }: Pick<OpenCallDeps, 'db' | 'guard' | 'secret' | 'sealer'>,
): SecretScope {
  return createSecretScope({
    author: isGranted ? 'granter' : 'user',
    findConnection: (reference) => findConnectionByReference(db, sealer, reference),
    mounted: secret,
    guard,
    redactor: createRedactor(),
  });
}

/** Throws OutsideFailure when the team's client or a field can't be used. */
export async function openCall(row: CallRow, signal: AbortSignal, deps: OpenCallDeps): Promise<OpenCall> {
  const { mail, now, db, sealer } = deps;
  const scope = scopeOf(row.is_granted, deps);
  const type = typeOf(row);
  const incident = incidentOf(row, deps.publicUrl());
  const named = clientOf(row.clients, type);
  if (named === null && !isMailType(type)) throw unusable(MESSAGES.clientGone);
  const client =
    named === null || row.team_id === null || isMailType(type)
      ? { ...NO_CLIENT, linkUrl: named?.client.linkUrl ?? '' }
      : await resolveClient({ ...named, teamId: row.team_id }, { db, sealer, scope });
  const filled = fieldsOf({ properties: row.properties, defaults: named?.client.defaults }, incident);
  const { responderType: _, ...given } = filled;
  const fields = type === 'person' ? { ...given, to: row.person_email ?? '' } : given;
  const context: AdapterContext = { client, guard: scope.guard, signal, now, mail };
  return {
    call: { responderId: row.id, responderType: type, fields, incident },
    adapter: adapterOf(type, context),
    linkUrl: client.linkUrl,
  };
}

/** Where people open it there: the team's template, else what the system told; only what a browser may open. */
export function linkOf(
  linkUrl: string,
  remote: { key: string; externalId: string | null; url: string | null },
) {
  const { key, externalId, url } = remote;
  const id = encodeURIComponent(externalId ?? key);
  const link =
    linkUrl === ''
      ? url
      : linkUrl.replaceAll(/\{\{\s*\.?\w+\s*\}\}|\$?\{(?:id|key|external_?id)\}|\$\((?:\w+)\)/gi, id);
  if (link === null || !URL.canParse(link)) return null;
  return ['http:', 'https:'].includes(new URL(link).protocol) ? link : null;
}
