/**
 * Sign-in with e-mail and password, and the second factor after it. Invariants: a flow signs in at most once;
 * wrong password, unknown and disabled account look and take the same; who has a second factor is not signed in
 * until he showed it; a session that is shown again keeps its factors and gets a new token.
 */
import { identifierOf } from '../attempts/attempts.ts';
import { findPasswordAccount } from '../queries/identity-query.ts';
import type { PasswordAccount } from '../queries/identity-query.ts';
import { isPassword } from '../accounts/passwords.ts';
import { suffices } from '../sessions/sessions.ts';
import type { SignedIn } from '../sessions/sessions.ts';
import { SELF_SERVICE } from './flow-kind.ts';
import type { Fields, FlowKind, Outcome, Started, StartQuery, Visitor } from './flow-kind.ts';
import { LABELS, MESSAGES, missingField } from './flow-messages.ts';
import { inputNode } from './flow-nodes.ts';
import type { FlowNode } from './flow-nodes.ts';
import { deleteFlow } from './flow-query.ts';
import type { FlowRow } from './flow-query.ts';
import { csrfNode, deviceOf, faultsOf, refuseForm } from './kind-parts.ts';
import type { KindParts } from './kind-parts.ts';
import {
  identityMismatch,
  loginUrl,
  noSession,
  secondFactorNeeded,
  sessionThere,
  tooManyAttempts,
} from './refusals.ts';
import { secondFactorNodes, submitSecondFactor } from './second-factor-login.ts';

const PAGE = '/login';

function startLogin(query: StartQuery, visitor: Visitor): Started {
  const { returnTo, isRefresh, aal } = query;
  const { session } = visitor;
  if (aal === 'aal2') {
    if (session === null) return { kind: 'refused', refusal: noSession(returnTo) };
    if (!session.has_second_factor || (session.aal === 'aal2' && !isRefresh)) {
      return { kind: 'refused', refusal: sessionThere(returnTo) };
    }
    const ui = { messages: [MESSAGES.secondFactor] };
    const seed = { identityId: session.person_id, aal, isRefresh, state: 'choose_method', ui } as const;
    return { kind: 'seed', seed };
  }
  if (session === null) return { kind: 'seed', seed: { isRefresh, state: 'choose_method' } };
  if (!isRefresh) {
    const isComplete = suffices(session);
    return {
      kind: 'refused',
      refusal: isComplete ? sessionThere(returnTo) : secondFactorNeeded(visitor, returnTo),
    };
  }
  const values = { identifier: session.traits.email ?? '' };
  const ui = { messages: [MESSAGES.confirmAction], values };
  return {
    kind: 'seed',
    seed: { identityId: session.person_id, isRefresh, state: 'choose_method', ui },
  };
}

function passwordNodes(flow: FlowRow, visitor: Visitor): FlowNode[] {
  return [
    csrfNode(flow, visitor),
    inputNode(flow, {
      group: 'default',
      name: 'identifier',
      type: flow.identity_id === null ? 'text' : 'hidden',
      value: '',
      isRequired: true,
      autocomplete: 'username',
      label: LABELS.eMail,
    }),
    inputNode(flow, {
      group: 'password',
      name: 'password',
      type: 'password',
      isRequired: true,
      autocomplete: 'current-password',
      label: LABELS.password,
    }),
    inputNode(flow, {
      group: 'password',
      name: 'method',
      type: 'submit',
      value: 'password',
      label: LABELS.signIn,
    }),
  ];
}

type Checked =
  | { kind: 'right'; account: PasswordAccount }
  | { kind: 'wrong' }
  | { kind: 'limited'; retryAfterSeconds: number };

/** Looks at name and password; counted before the password is looked at, so that parallel guesses count, too. */
async function checkPassword(parts: KindParts, fields: Fields, visitor: Visitor): Promise<Checked> {
  const { db, attempts, logger } = parts;
  const limited = (retryAfterSeconds: number): Checked => {
    logger.warn({ ip: visitor.ip }, 'sign-in refused: too many attempts');
    return { kind: 'limited', retryAfterSeconds };
  };
  const waitSeconds = attempts.place(visitor);
  if (waitSeconds > 0) return limited(waitSeconds);
  const identifier = identifierOf(fields.get('identifier') ?? '');
  const account = await findPasswordAccount(db, identifier);
  const attempt = await attempts.password({ identityId: account?.id ?? null, identifier }, visitor);
  if (attempt.retryAfterSeconds > 0) return limited(attempt.retryAfterSeconds);
  const isRight = await isPassword(account?.secret ?? null, fields.get('password') ?? '');
  if (account === null || !isRight || account.state !== 'active') {
    logger.info({ ip: visitor.ip }, 'sign-in refused: wrong credentials');
    return { kind: 'wrong' };
  }
  attempt.clear();
  return { kind: 'right', account };
}

/** A session that is there is renewed, so that it keeps its second factor; else a new one is opened. */
async function openSession(
  parts: KindParts,
  account: PasswordAccount,
  visitor: Visitor,
): Promise<SignedIn & { deviceToken: string }> {
  const { deviceToken, device } = deviceOf(parts, visitor);
  const { session } = visitor;
  const shown = { method: 'password', aal: 'aal1' } as const;
  const opened =
    session !== null && session.person_id === account.id
      ? await parts.sessions.renew({ sessionId: session.session_id, deviceMark: device.deviceMark, shown })
      : await parts.sessions.open({ ...device, identityId: account.id, shown });
  return { ...opened, deviceToken };
}

async function submitPassword(
  parts: KindParts,
  { flow, fields }: { flow: FlowRow; fields: Fields },
  visitor: Visitor,
): Promise<Outcome> {
  const values = { identifier: fields.get('identifier') ?? '' };
  const gaps = faultsOf({
    identifier: values.identifier.trim() === '' ? missingField('identifier') : null,
    password: (fields.get('password') ?? '') === '' ? missingField('password') : null,
  });
  if (gaps !== null) return refuseForm(flow, { values, fields: gaps });
  const checked = await checkPassword(parts, fields, visitor);
  if (checked.kind === 'limited') {
    return { kind: 'refused', refusal: tooManyAttempts(checked.retryAfterSeconds) };
  }
  if (checked.kind === 'wrong') {
    return refuseForm(flow, { values, messages: [MESSAGES.wrongCredentials] });
  }
  if (flow.identity_id !== null && flow.identity_id !== checked.account.id) {
    return { kind: 'refused', refusal: identityMismatch(PAGE) };
  }
  if ((await deleteFlow(parts.db, flow.id)) !== 1) return { kind: 'gone' };
  const { token: sessionToken, deviceToken, session } = await openSession(parts, checked.account, visitor);
  parts.logger.info({ personId: session.person_id }, 'signed in');
  const cookies = { sessionToken, deviceToken };
  if (suffices(session)) return { kind: 'signed-in', session, cookies, returnTo: flow.return_to };
  return { kind: 'moved', to: loginUrl(visitor, { aal: 'aal2', returnTo: flow.return_to }), cookies };
}

/** A flow with `requested_aal` `aal2` asks for the second factor of the account that is signed in. */
export function createLoginKind(parts: KindParts): FlowKind {
  return {
    name: 'login',
    page: PAGE,
    start: (query, visitor) => Promise.resolve(startLogin(query, visitor)),
    guard(flow, { session }) {
      if (flow.requested_aal !== 'aal2') return null;
      if (session === null) return noSession(flow.return_to);
      if (session.person_id === flow.identity_id) return null;
      return identityMismatch(`${SELF_SERVICE}/login/browser?aal=aal2`);
    },
    nodes: (flow, visitor) =>
      flow.requested_aal === 'aal2'
        ? secondFactorNodes(parts, flow, visitor)
        : Promise.resolve(passwordNodes(flow, visitor)),
    submit: (flow, fields, visitor) =>
      flow.requested_aal === 'aal2'
        ? submitSecondFactor(parts, { flow, fields }, visitor)
        : submitPassword(parts, { flow, fields }, visitor),
  };
}
