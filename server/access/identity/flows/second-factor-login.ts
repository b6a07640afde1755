/**
 * The second factor at sign-in: a code of the authenticator app, or a recovery code. Five wrong ones end the
 * form, and further forms share the account's attempts, so that many forms are no more tries.
 */
import type { Fields, Outcome, Visitor } from './flow-kind.ts';
import { LABELS, MESSAGES, missingField } from './flow-messages.ts';
import type { FlowMessage } from './flow-messages.ts';
import { inputNode } from './flow-nodes.ts';
import type { FlowNode } from './flow-nodes.ts';
import { deleteFlow, spendTry } from './flow-query.ts';
import type { FlowRow } from './flow-query.ts';
import { csrfNode, deviceOf, MAX_TRIES, refuseForm } from './kind-parts.ts';
import type { KindParts } from './kind-parts.ts';
import { noSession, tooManyAttempts } from './refusals.ts';

type Factor = 'totp' | 'lookup_secret';

const FIELD_OF = { totp: 'totp_code', lookup_secret: 'lookup_secret' } as const;

/** Only the factors that the account has. */
export async function secondFactorNodes(
  { db, totp, recoveryCodes }: KindParts,
  flow: FlowRow,
  visitor: Visitor,
): Promise<FlowNode[]> {
  const nodes = [csrfNode(flow, visitor)];
  const identityId = flow.identity_id ?? '';
  const add = (group: Factor, labels: { field: FlowMessage; submit: FlowMessage }) => {
    nodes.push(
      inputNode(flow, {
        group,
        name: FIELD_OF[group],
        type: 'text',
        value: '',
        isRequired: true,
        autocomplete: 'one-time-code',
        label: labels.field,
      }),
      inputNode(flow, { group, name: 'method', type: 'submit', value: group, label: labels.submit }),
    );
  };
  if (await totp.isLinked(db, identityId)) add('totp', { field: LABELS.totpCode, submit: LABELS.useTotp });
  if ((await recoveryCodes.list(db, identityId)).some((code) => code.usedAt === null)) {
    add('lookup_secret', { field: LABELS.recoveryCode, submit: LABELS.useRecoveryCode });
  }
  return nodes;
}

function factorOf(fields: Fields): Factor {
  if (fields.get('method') === 'lookup_secret') return 'lookup_secret';
  return fields.get('method') !== 'totp' && (fields.get('lookup_secret') ?? '') !== ''
    ? 'lookup_secret'
    : 'totp';
}

/** What is wrong with the code; null when it was right, and is used up now. */
async function faultOf(
  { db, totp, recoveryCodes }: KindParts,
  identityId: string,
  typed: { factor: Factor; code: string },
): Promise<FlowMessage | null> {
  if (typed.factor === 'totp') {
    return (await totp.use(db, identityId, typed.code)) ? null : MESSAGES.wrongTotp;
  }
  const result = await recoveryCodes.use(db, identityId, typed.code);
  if (result === 'right') return null;
  return result === 'used' ? MESSAGES.usedRecoveryCode : MESSAGES.wrongRecoveryCode;
}

/** Raises the session to `aal2`, under a new token. */
export async function submitSecondFactor(
  parts: KindParts,
  { flow, fields }: { flow: FlowRow; fields: Fields },
  visitor: Visitor,
): Promise<Outcome> {
  const { session } = visitor;
  if (session === null) return { kind: 'refused', refusal: noSession(flow.return_to) };
  const messages = [MESSAGES.secondFactor];
  const factor = factorOf(fields);
  const field = FIELD_OF[factor];
  const code = (fields.get(field) ?? '').trim();
  if (code === '') return refuseForm(flow, { messages, fields: { [field]: [missingField(field)] } });
  const attempt = await parts.attempts.secondFactor(session.person_id, visitor);
  if (attempt.retryAfterSeconds > 0) {
    parts.logger.warn({ personId: session.person_id, ip: visitor.ip }, 'second factor: too many attempts');
    return { kind: 'refused', refusal: tooManyAttempts(attempt.retryAfterSeconds) };
  }
  if ((await spendTry(parts.db, flow.id, MAX_TRIES)) !== 1) return { kind: 'dead' };
  const fault = await faultOf(parts, session.person_id, { factor, code });
  if (fault !== null) {
    parts.logger.info({ personId: session.person_id, ip: visitor.ip }, 'second factor refused');
    return refuseForm(flow, { messages: [MESSAGES.secondFactor, fault] });
  }
  attempt.clear();
  if ((await deleteFlow(parts.db, flow.id)) !== 1) return { kind: 'gone' };
  const { deviceToken, device } = deviceOf(parts, visitor);
  const renewed = await parts.sessions.renew({
    sessionId: session.session_id,
    deviceMark: device.deviceMark,
    shown: { method: factor, aal: 'aal2' },
  });
  return {
    kind: 'signed-in',
    session: renewed.session,
    cookies: { sessionToken: renewed.token, deviceToken },
    returnTo: flow.return_to,
  };
}
