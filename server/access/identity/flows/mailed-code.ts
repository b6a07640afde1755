/**
 * What recovery and verification share: ask for an address, send a code there, take the code. Invariants: the
 * form looks the same whether the address is known or not; five wrong codes end it; what mail costs is limited.
 */
import { identifierOf } from '../attempts/attempts.ts';
import type { Attempt } from '../attempts/attempts.ts';
import { findPasswordAccount } from '../queries/identity-query.ts';
import { isShortCode } from '../codes/one-time-codes.ts';
import type { CodeRow } from '../queries/code-query.ts';
import type { Fields, Outcome, Started, StartQuery, Visitor } from './flow-kind.ts';
import { LABELS, missingField } from './flow-messages.ts';
import type { FlowMessage } from './flow-messages.ts';
import { inputNode } from './flow-nodes.ts';
import type { FlowNode } from './flow-nodes.ts';
import { deleteFlow, spendTry } from './flow-query.ts';
import type { FlowRow } from './flow-query.ts';
import { csrfNode, emailIn, emailProblem, faultsOf, MAX_TRIES, refuseForm } from './kind-parts.ts';
import type { KindParts } from './kind-parts.ts';
import { tooManyAttempts } from './refusals.ts';

export interface MailedCode {
  purpose: 'recovery' | 'verification';
  codeLabel: FlowMessage;
  sent: FlowMessage;
  wrongCode: FlowMessage;
  wrongLink: FlowMessage;
  /** The code was right and is used up. */
  proven(parts: KindParts, proof: { flow: FlowRow; code: CodeRow }, visitor: Visitor): Promise<Outcome>;
}

/** A link opened anywhere starts a form with its token filled in: opening alone proves and uses up nothing. */
export async function startMailedCode(
  parts: KindParts,
  kind: MailedCode,
  { linkToken }: StartQuery,
): Promise<Started> {
  if (linkToken === null) return { kind: 'seed', seed: { state: 'choose_method' } };
  if (!(await parts.codes.isGood(kind.purpose, linkToken))) {
    return { kind: 'seed', seed: { state: 'choose_method', ui: { messages: [kind.wrongLink] } } };
  }
  return { kind: 'seed', seed: { state: 'sent_email', ui: { values: { code: linkToken } } } };
}

/** Asks for the address first, then for the code that was sent there. */
export function mailedCodeNodes(kind: MailedCode, flow: FlowRow, visitor: Visitor): FlowNode[] {
  const csrf = csrfNode(flow, visitor);
  const submit = inputNode(flow, {
    group: 'code',
    name: 'method',
    type: 'submit',
    value: 'code',
    label: LABELS.proceed,
  });
  if (flow.state !== 'sent_email') {
    const email = inputNode(flow, {
      group: 'code',
      name: 'email',
      type: 'email',
      isRequired: true,
      autocomplete: 'email',
      label: LABELS.email,
    });
    return [csrf, email, submit];
  }
  const code = inputNode(flow, {
    group: 'code',
    name: 'code',
    type: 'text',
    isRequired: true,
    autocomplete: 'one-time-code',
    label: kind.codeLabel,
  });
  const { address } = flow.context;
  if (address === undefined) return [csrf, code, submit];
  const resend = { group: 'code', name: 'email', type: 'submit', value: address, label: LABELS.resendCode };
  return [csrf, code, submit, inputNode(flow, { ...resend, group: 'code', type: 'submit' })];
}

async function sendCode(
  parts: KindParts,
  { kind, flow, email }: { kind: MailedCode; flow: FlowRow; email: string },
  visitor: Visitor,
): Promise<Outcome> {
  const values = { email };
  const faults = faultsOf({ email: emailProblem('email', email) });
  if (faults !== null) return refuseForm(flow, { values, fields: faults });
  const account = await findPasswordAccount(parts.db, email);
  const identityId = account !== null && account.state === 'active' ? account.id : null;
  const waitSeconds = await parts.attempts.mail({ identityId, address: email }, visitor);
  if (waitSeconds > 0) return { kind: 'refused', refusal: tooManyAttempts(waitSeconds) };
  const { purpose } = kind;
  await parts.db.transaction((tx) =>
    parts.codes.send(tx, { purpose, flowId: flow.id, identityId, address: email }),
  );
  parts.courier.wake();
  const ui = { messages: [kind.sent] };
  const sent = { ...flow, state: 'sent_email', context: { address: email }, ui } as const;
  return { kind: 'form', isAccepted: true, flow: sent };
}

/** Six digits count for the address that they were mailed to, in all its forms together; a link's token can't be guessed. */
async function countCode(
  { db, attempts }: KindParts,
  { flow, typed }: { flow: FlowRow; typed: string },
  visitor: Visitor,
): Promise<Attempt> {
  const { address } = flow.context;
  if (address === undefined || !isShortCode(typed)) return attempts.token(visitor);
  const account = await findPasswordAccount(db, address);
  return attempts.code({ identityId: account?.id ?? null, identifier: identifierOf(address) }, visitor);
}

/** An address sends a code, a code is checked; an address typed anew sends another one. */
export async function submitMailedCode(
  parts: KindParts,
  { kind, flow, fields }: { kind: MailedCode; flow: FlowRow; fields: Fields },
  visitor: Visitor,
): Promise<Outcome> {
  const typed = (fields.get('code') ?? '').trim();
  const email = emailIn(fields, 'email');
  if (typed === '' && (email !== '' || flow.state !== 'sent_email')) {
    return sendCode(parts, { kind, flow, email }, visitor);
  }
  const messages = flow.context.address === undefined ? [] : [kind.sent];
  if (typed === '') return refuseForm(flow, { messages, fields: { code: [missingField('code')] } });
  const attempt = await countCode(parts, { flow, typed }, visitor);
  if (attempt.retryAfterSeconds > 0) {
    return { kind: 'refused', refusal: tooManyAttempts(attempt.retryAfterSeconds) };
  }
  if ((await spendTry(parts.db, flow.id, MAX_TRIES)) !== 1) return { kind: 'dead' };
  const { purpose } = kind;
  const code = await parts.codes.use(parts.db, { purpose, flowId: flow.id, code: typed });
  if (code === null) return refuseForm(flow, { messages: [kind.wrongCode] });
  attempt.clear();
  const outcome = await kind.proven(parts, { flow, code }, visitor);
  if (outcome.kind === 'moved') await deleteFlow(parts.db, flow.id);
  return outcome;
}
