/**
 * One notification to one service: the only way out for rules, teams and playbooks. Owns which service a connection or an
 * address means and how it is called; knows no rule and no queue. What went wrong outside is an outcome, not an error.
 */
import { AppError } from '../../../src/contract/errors.ts';
import { serviceAddress, type ServiceAddress } from '../../../src/domain/notification/service-address.ts';
import type { SecretScope } from '../../connections/secret-scope.ts';
import type { ServiceKind } from '../../../src/domain/notification/service-kind.ts';
import type { EgressResponse } from '../../platform/egress/egress-http.ts';
import { ask, isTaken, jsonOf, outcomeOfError, refusalOf } from './call-service.ts';
import { discord, googlechat, mattermost, rocketchat, slack, teams, telegram, zulip } from './chat-calls.ts';
import { sendMatrix } from './matrix-sender.ts';
import { bark, gotify, ifttt, join, ntfy, opsgenie, pushbullet, pushover } from './push-calls.ts';
import { sendMail } from './mail-sender.ts';
import { MESSAGES } from './messages.ts';
import type { CallsOf, OutgoingNotification, SenderContext, SendOutcome } from './sender.ts';
import { webhookCalls } from './webhook-calls.ts';

/** Where to: a connection by id, name or `connection://namespace/name`, else a service's address. */
export interface NotificationTarget {
  connection?: string | null | undefined;
  url?: string | null | undefined;
}

interface SendDeps {
  /** The secrets of whoever wrote the target, and the guard that keeps them to where they may go. */
  scope: Pick<SecretScope, 'connection' | 'guard'>;
  signal: AbortSignal;
  now: () => number;
}

const isReference = (text: string) => text.startsWith('connection://');

/** Throws `invalid` with the reason where the target leads to no service. */
export async function openTarget(
  { connection, url }: NotificationTarget,
  scope: Pick<SecretScope, 'connection'>,
): Promise<ServiceAddress> {
  const bare = url ?? '';
  const reference = connection || (isReference(bare) ? bare : '');
  if (reference === '' && bare === '') throw new AppError('invalid', MESSAGES.noTarget);
  const found = reference === '' ? null : await scope.connection(reference);
  if (reference !== '' && found === null) throw new AppError('invalid', MESSAGES.noConnection(reference));
  const values = found ?? {
    type: '',
    url: bare,
    username: '',
    password: '',
    properties: {},
    isInsecureTls: false,
  };
  const address = serviceAddress(values);
  if (address === null) throw new AppError('invalid', MESSAGES.noService);
  return address;
}

const CALLS: Readonly<Record<Exclude<ServiceKind, 'smtp' | 'matrix'>, CallsOf>> = {
  bark,
  discord,
  generic: webhookCalls,
  googlechat,
  gotify,
  ifttt,
  join,
  mattermost,
  ntfy,
  opsgenie,
  pushbullet,
  pushover,
  rocketchat,
  slack,
  teams,
  telegram,
  zulip,
};
/** Words of Slack that pass by themselves. */
const PASSING_WORDS = new Set(['ratelimited', 'rate_limited', 'service_unavailable', 'internal_error']);

/** How Teams words it that a card was not delivered. */
const UNDELIVERED = /returned HTTP error (\d{3})/;

/** Some services answer 200 to what they refuse. */
function saidNo(answer: EgressResponse, context: SenderContext): SendOutcome | null {
  const { address } = context;
  const status = address.kind === 'teams' ? UNDELIVERED.exec(answer.body.toString('utf8'))?.[1] : undefined;
  if (status !== undefined) return refusalOf({ ...answer, statusCode: Number(status) }, context);
  const { ok, error, errorMessage } = jsonOf(answer);
  if (address.kind === 'slack' && ok === false) {
    const word = typeof error === 'string' ? error : 'unknown';
    const reason = MESSAGES.refused('Slack', word);
    return PASSING_WORDS.has(word)
      ? { kind: 'later', reason, retryAfterMs: null }
      : { kind: 'failed', reason };
  }
  if (address.kind === 'join' && typeof errorMessage === 'string' && errorMessage !== '')
    return { kind: 'failed', reason: MESSAGES.refused('Join', errorMessage) };
  return null;
}

async function sendTo(message: OutgoingNotification, context: SenderContext): Promise<SendOutcome> {
  const { kind } = context.address;
  if (kind === 'smtp') return sendMail(message, context);
  if (kind === 'matrix') return sendMatrix(message, context);
  let doneCalls = message.doneCalls ?? 0;
  let failure: SendOutcome | null = null;
  for (const call of CALLS[kind](message, context.address).slice(doneCalls)) {
    const answer = await ask(call, context);
    const refusal = isTaken(answer) ? saidNo(answer, context) : refusalOf(answer, context);
    if (refusal?.kind === 'later') return { ...refusal, doneCalls };
    // What is refused for one recipient is no reason to leave out the others.
    failure ??= refusal;
    doneCalls += 1;
  }
  return failure ?? { kind: 'sent' };
}

/** Sends it; never throws but for a signal that ended it. */
export async function sendNotification(
  target: NotificationTarget,
  message: OutgoingNotification,
  { scope, signal, now }: SendDeps,
): Promise<SendOutcome> {
  let address: ServiceAddress | null = null;
  try {
    address = await openTarget(target, scope);
    return await sendTo(message, { address, guard: scope.guard, signal, now });
  } catch (error) {
    if (signal.aborted) throw error;
    return outcomeOfError(error, address);
  }
}
