/**
 * Making an account: by an invitation, which names the address and brings the role, or by oneself where the
 * operator opened that; then one is a viewer. Invariants: an invitation is used up by the password it sets, not
 * by opening its link; the account, its password and the use of the invitation are one.
 */
import { DatabaseError, UNIQUE_VIOLATION } from '../../../platform/db/database-error.ts';
import { markVerified, updateTraits } from '../queries/administration-query.ts';
import { findLink, useLink } from '../queries/code-query.ts';
import { findActivePerson, insertAccount, updatePassword } from '../queries/identity-query.ts';
import { passwordProblem } from './password-rules.ts';
import { hashPassword } from '../accounts/passwords.ts';
import type { Fields, FlowKind, Outcome, Started, StartQuery, Visitor } from './flow-kind.ts';
import { LABELS, MESSAGES } from './flow-messages.ts';
import { inputNode } from './flow-nodes.ts';
import type { FlowNode } from './flow-nodes.ts';
import { deleteFlow } from './flow-query.ts';
import type { FlowRow } from './flow-query.ts';
import {
  csrfNode,
  deviceOf,
  emailIn,
  emailProblem,
  faultsOf,
  nameProblem,
  refuseForm,
} from './kind-parts.ts';
import type { KindParts } from './kind-parts.ts';
import { INVITATION_OVER, REGISTRATION_DISABLED, sessionThere, tooManyAttempts } from './refusals.ts';
import { askToVerify } from './verification-kind.ts';

const NEW_ROLES = ['viewer'] as const;

async function start(parts: KindParts, query: StartQuery, visitor: Visitor): Promise<Started> {
  if (visitor.session !== null) return { kind: 'refused', refusal: sessionThere(query.returnTo) };
  const { invitation } = query;
  if (parts.registration === 'closed' || (invitation === null && parts.registration !== 'open')) {
    return { kind: 'refused', refusal: REGISTRATION_DISABLED };
  }
  if (invitation === null) return { kind: 'seed', seed: { state: 'choose_method' } };
  const nowAt = new Date(parts.platform.now());
  const found = await findLink(parts.db, { purpose: 'invitation', nowAt, linkMark: invitation });
  if (found === null) return { kind: 'refused', refusal: INVITATION_OVER };
  const values = { 'traits.email': found.address };
  const { first = '', last = '' } = (await findActivePerson(parts.db, found.identity_id))?.traits.name ?? {};
  const isNamed = first !== '' && last !== '';
  const context = { invitation, ...(isNamed ? { invited: { first, last } } : {}) };
  return { kind: 'seed', seed: { state: 'choose_method', context, ui: { values } } };
}

function nameNodes(flow: FlowRow): FlowNode[] {
  if (flow.context.invited !== undefined) return [];
  return [
    inputNode(flow, {
      group: 'default',
      name: 'traits.name.first',
      type: 'text',
      isRequired: true,
      autocomplete: 'given-name',
      label: LABELS.firstName,
    }),
    inputNode(flow, {
      group: 'default',
      name: 'traits.name.last',
      type: 'text',
      isRequired: true,
      autocomplete: 'family-name',
      label: LABELS.lastName,
    }),
  ];
}

function nodes(flow: FlowRow, visitor: Visitor): FlowNode[] {
  const isInvited = flow.context.invitation !== undefined;
  const email = inputNode(flow, {
    group: 'default',
    name: 'traits.email',
    type: 'email',
    isRequired: true,
    autocomplete: 'email',
    label: LABELS.eMail,
  });
  return [
    csrfNode(flow, visitor),
    // The invitation is for this address and no other.
    isInvited ? { ...email, attributes: { ...email.attributes, disabled: true } } : email,
    ...nameNodes(flow),
    inputNode(flow, {
      group: 'password',
      name: 'password',
      type: 'password',
      isRequired: true,
      autocomplete: 'new-password',
      label: LABELS.password,
    }),
    inputNode(flow, {
      group: 'password',
      name: 'method',
      type: 'submit',
      value: 'password',
      label: LABELS.signUp,
    }),
  ];
}

interface Newcomer {
  email: string;
  first: string;
  last: string;
  passwordHash: string;
}

/** Takes up the invitation; null when somebody did meanwhile, or the account was disabled. */
function joinInvited(parts: KindParts, invitation: string, newcomer: Newcomer): Promise<string | null> {
  const { email, first, last, passwordHash } = newcomer;
  const nowAt = new Date(parts.platform.now());
  return parts.db.transaction(async (tx) => {
    const used = await useLink(tx, { purpose: 'invitation', nowAt, linkMark: invitation });
    if (used === null || (await findActivePerson(tx, used.identity_id)) === null) return null;
    await updateTraits(tx, used.identity_id, { email, name: { first, last } });
    await markVerified(tx, used.identity_id, { address: used.address, now: nowAt });
    await updatePassword(tx, used.identity_id, passwordHash);
    return used.identity_id;
  });
}

/** Makes an account; null when the address is taken. */
async function joinFreely(parts: KindParts, newcomer: Newcomer): Promise<string | null> {
  const { email, first, last, passwordHash } = newcomer;
  const id = parts.platform.newId();
  try {
    await parts.db.transaction((tx) =>
      insertAccount(tx, { id, email, firstName: first, lastName: last, passwordHash, roles: NEW_ROLES }),
    );
    return id;
  } catch (error) {
    if (error instanceof DatabaseError && error.sqlState === UNIQUE_VIOLATION) return null;
    throw error;
  }
}

interface Submission {
  flow: FlowRow;
  fields: Fields;
}

async function submit(parts: KindParts, { flow, fields }: Submission, visitor: Visitor): Promise<Outcome> {
  const { invitation, invited } = flow.context;
  const isInvited = invitation !== undefined;
  const email = isInvited ? (flow.ui.values?.['traits.email'] ?? '') : emailIn(fields, 'traits.email');
  const first = invited?.first ?? (fields.get('traits.name.first') ?? '').trim();
  const last = invited?.last ?? (fields.get('traits.name.last') ?? '').trim();
  const password = fields.get('password') ?? '';
  const values = { 'traits.email': email, 'traits.name.first': first, 'traits.name.last': last };
  const faults = faultsOf({
    'traits.email': emailProblem('traits.email', email),
    'traits.name.first': nameProblem('traits.name.first', first),
    'traits.name.last': nameProblem('traits.name.last', last),
    password: passwordProblem(password, email),
  });
  if (faults !== null) return refuseForm(flow, { values, fields: faults });
  const waitSeconds = parts.attempts.registration(visitor);
  if (waitSeconds > 0) return { kind: 'refused', refusal: tooManyAttempts(waitSeconds) };
  const newcomer = { email, first, last, passwordHash: await hashPassword(password) };
  const identityId = isInvited
    ? await joinInvited(parts, invitation, newcomer)
    : await joinFreely(parts, newcomer);
  if (identityId === null) {
    if (isInvited) return { kind: 'refused', refusal: INVITATION_OVER };
    return refuseForm(flow, { values, messages: [MESSAGES.taken] });
  }
  await deleteFlow(parts.db, flow.id);
  return welcome(parts, { identityId, email, isInvited, returnTo: flow.return_to }, visitor);
}

/** Signs the newcomer in; who came by himself is asked to prove his address. */
async function welcome(
  parts: KindParts,
  who: { identityId: string; email: string; isInvited: boolean; returnTo: string | null },
  visitor: Visitor,
): Promise<Outcome> {
  const { identityId, email, isInvited, returnTo } = who;
  const continueWith = isInvited ? [] : [await askToVerify(parts, { identityId, address: email }, visitor)];
  const { deviceToken, device } = deviceOf(parts, visitor);
  const { token: sessionToken, session } = await parts.sessions.open({ ...device, identityId });
  parts.logger.info({ personId: identityId }, 'registered');
  return { kind: 'signed-in', session, cookies: { sessionToken, deviceToken }, returnTo, continueWith };
}

/** Without an invitation it is open only where the operator said so. */
export function createRegistrationKind(parts: KindParts): FlowKind {
  return {
    name: 'registration',
    page: '/registration',
    start: (query, visitor) => start(parts, query, visitor),
    guard: (flow, { session }) => (session === null ? null : sessionThere(flow.return_to)),
    nodes: (flow, visitor) => Promise.resolve(nodes(flow, visitor)),
    submit: (flow, fields, visitor) => submit(parts, { flow, fields }, visitor),
  };
}
