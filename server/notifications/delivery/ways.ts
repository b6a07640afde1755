/** One message by one way: a person's mail or browsers, or a service of a rule or team. */
import { AppError } from '../../../src/contract/errors.ts';
import { may } from '../../../src/domain/access/matrix.ts';
import { recordOf } from '../../../src/lib/is-record.ts';
import { findConnectionByReference } from '../../connections/connection-query.ts';
import type { SecretReader } from '../../connections/connection-values.ts';
import { createSecretScope } from '../../connections/secret-scope.ts';
import { createRedactor } from '../../platform/crypto/redact.ts';
import type { Opener } from '../../platform/crypto/sealed-values.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { EgressGuard } from '../../platform/egress/egress-guard.ts';
import type { MailTransport } from '../../platform/mail/mail-transport.ts';
import type { PersonPush, PersonPushed } from '../push/push-person.ts';
import { servicesOf, textMap, type RuleRow } from '../rules/rule-query.ts';
import type { Way } from '../rules/recipients.ts';
import { mailFailure, mailText } from '../senders/mail-sender.ts';
import { openTarget, sendNotification } from '../senders/send-notification.ts';
import type { SendOutcome } from '../senders/sender.ts';
import type { Text } from './message-text.ts';
import { MESSAGES } from './messages.ts';
import { personById, ruleService, teamService } from './service-query.ts';
import { trimEnd } from '../../../src/lib/trim-end.ts';

export interface WayDeps {
  db: Queryable;
  guard: EgressGuard;
  secret: SecretReader;
  sealer: Opener;
  /** Null where no mail can be sent. */
  mail: Pick<MailTransport, 'send'> | null;
  /** To browsers of a person; those that have it already are left out. */
  push: (asked: PersonPush) => Promise<PersonPushed>;
  publicUrl: () => string;
  now: () => number;
}

export interface Outgoing {
  /** The same in each attempt. */
  key: string;
  text: Text;
  rule: RuleRow;
  doneCalls: number;
  signal: AbortSignal;
}

const failed = (reason: string): SendOutcome => ({ kind: 'failed', reason });
const LOCK_SCREEN_TITLE = 120;
const LOCK_SCREEN_BODY = 160;

/** To the address of the person, one attempt. */
export async function byMail(personId: string, { key, text }: Outgoing, deps: WayDeps): Promise<SendOutcome> {
  const person = await personById(deps.db, personId);
  if (person === null) return failed(MESSAGES.noPerson);
  if (!(person.email ?? '').includes('@')) return failed(MESSAGES.noAddress);
  if (deps.mail === null) return failed(MESSAGES.noMail);
  const mail = mailText({ key, properties: {}, ...text });
  try {
    await deps.mail.send({ ...mail, id: key, to: person.email ?? '', at: new Date(deps.now()) });
    return { kind: 'sent' };
  } catch (error) {
    return mailFailure(error);
  }
}

/** To the browser of the person that was seen last, or to all that have not got it. */
export function byPush(
  personId: string,
  { key, text, signal }: Outgoing,
  deps: WayDeps & { isFirst: boolean },
): Promise<PersonPushed> {
  const base = trimEnd(deps.publicUrl(), '/');
  const url = text.links[0]?.url.slice(base.length) ?? '/notifications';
  const message: PersonPush['message'] = {
    v: 1,
    title: text.title.slice(0, LOCK_SCREEN_TITLE),
    body: text.body.replaceAll(/\s+/g, ' ').slice(0, LOCK_SCREEN_BODY),
    url,
    tag: `notification-${key}`,
    at: new Date(deps.now()).toISOString(),
    ...(text.about === null ? {} : { about: text.about }),
  };
  return deps.push({
    personId,
    thing: { deliveryId: key },
    message,
    isFor: (roles) => may(roles, 'notifications', 'read'),
    signal,
    isFirst: deps.isFirst,
  });
}

type ServiceWay = Extract<Way, { kind: 'service' }>;

/** The service with what signs in, and where that may go; null where it is no longer in the list. */
async function openService(way: ServiceWay, { db, sealer, guard, secret }: WayDeps) {
  const place = { id: way.ownerId, at: way.at };
  const entry = await (way.owner === 'rule' ? ruleService : teamService)(db, sealer, place);
  const [service] = servicesOf(entry === null ? [] : [entry]);
  if (service === undefined) return null;
  const scope = createSecretScope({
    author: 'user',
    findConnection: (reference) => findConnectionByReference(db, sealer, reference),
    mounted: secret,
    guard,
    redactor: createRedactor(),
  });
  return { service, scope };
}

/** What texts call the way: push, mail, slack … Empty where nobody can tell; sending says why. */
export async function channelOf(way: Way, deps: WayDeps): Promise<string> {
  if (way.kind !== 'service') return way.kind;
  try {
    const opened = await openService(way, deps);
    if (opened === null) return '';
    const { kind } = await openTarget(opened.service, opened.scope);
    return kind === 'smtp' ? 'mail' : kind;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return '';
  }
}

async function byService(way: ServiceWay, outgoing: Outgoing, deps: WayDeps): Promise<SendOutcome> {
  const { key, text, rule, doneCalls, signal } = outgoing;
  const opened = await openService(way, deps);
  if (opened === null) return failed(way.owner === 'team' ? MESSAGES.teamServiceGone : MESSAGES.serviceGone);
  const { service, scope } = opened;
  const properties = { ...textMap(recordOf(rule.properties)), ...service.properties };
  return sendNotification(service, { key, ...text, properties, doneCalls }, { scope, signal, now: deps.now });
}

/** Sends it; what went wrong outside is an outcome. A push goes in steps (person-steps). */
export function sendBy(
  way: Exclude<Way, { kind: 'push' }>,
  outgoing: Outgoing,
  deps: WayDeps,
): Promise<SendOutcome> {
  return way.kind === 'mail' ? byMail(way.personId, outgoing, deps) : byService(way, outgoing, deps);
}
