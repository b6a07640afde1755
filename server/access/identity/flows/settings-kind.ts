/**
 * The account's own settings: profile, password, second factors. Invariants: the form belongs to the account that
 * is signed in; what can lock the owner out or let somebody in (e-mail, password, second factors) needs a session
 * whose owner showed within 15 minutes who he is.
 */
import { suffices } from '../sessions/sessions.ts';
import type { SessionRow } from '../queries/session-query.ts';
import type {
  Fields,
  FlowKind,
  IdentityRefusal,
  Outcome,
  Started,
  StartQuery,
  Visitor,
} from './flow-kind.ts';
import { MESSAGES } from './flow-messages.ts';
import type { FlowNode } from './flow-nodes.ts';
import type { FlowRow } from './flow-query.ts';
import { csrfNode } from './kind-parts.ts';
import type { KindParts } from './kind-parts.ts';
import { identityMismatch, noSession, secondFactorNeeded } from './refusals.ts';
import { codesNodes, submitCodes } from './settings-codes.ts';
import { passwordNodes, submitPassword } from './settings-password.ts';
import { profileNodes, submitProfile } from './settings-profile.ts';
import { submitTotp, totpNodes } from './settings-totp.ts';

const PAGE = '/profile-settings';

/** The session that may use settings, or why there is none. */
function sessionFor(
  visitor: Visitor,
  returnTo: string,
): { kind: 'session'; session: SessionRow } | { kind: 'refused'; refusal: IdentityRefusal } {
  const { session } = visitor;
  if (session === null) return { kind: 'refused', refusal: noSession(returnTo) };
  if (!suffices(session)) return { kind: 'refused', refusal: secondFactorNeeded(visitor, returnTo) };
  return { kind: 'session', session };
}

function start(parts: KindParts, query: StartQuery, visitor: Visitor): Started {
  const found = sessionFor(visitor, query.returnTo ?? PAGE);
  if (found.kind === 'refused') return found;
  const { session } = found;
  const isRecovered =
    session.methods.at(-1)?.method === 'code_recovery' && parts.sessions.isPrivileged(session);
  const secret = parts.totp.newSecret();
  return {
    kind: 'seed',
    seed: {
      identityId: session.person_id,
      state: 'show_form',
      context: { totp: parts.sealer.seal(secret, `flow totp ${session.person_id}`) },
      ui: { messages: isRecovered ? [MESSAGES.recovered] : [] },
    },
  };
}

async function nodes(parts: KindParts, flow: FlowRow, visitor: Visitor): Promise<FlowNode[]> {
  const { session } = visitor;
  if (session === null) return [];
  const ask = { flow, session };
  return [
    csrfNode(flow, visitor),
    ...profileNodes(ask),
    ...passwordNodes(ask),
    ...(await totpNodes(parts, ask)),
    ...(await codesNodes(parts, ask)),
  ];
}

/** Which part of the form was sent; a button of a part says it without `method`. */
function methodOf(fields: Fields): string {
  const names = [...fields.keys()];
  if (names.includes('totp_unlink')) return 'totp';
  if (names.some((name) => name.startsWith('lookup_secret_'))) return 'lookup_secret';
  return fields.get('method') ?? '';
}

async function submit(
  parts: KindParts,
  { flow, fields }: { flow: FlowRow; fields: Fields },
  visitor: Visitor,
): Promise<Outcome> {
  const found = sessionFor(visitor, `${PAGE}?flow=${flow.id}`);
  if (found.kind === 'refused') return found;
  const change = { flow, fields, session: found.session, visitor };
  switch (methodOf(fields)) {
    case 'profile':
      return submitProfile(parts, change);
    case 'password':
      return submitPassword(parts, change);
    case 'totp':
      return submitTotp(parts, change);
    case 'lookup_secret':
      return submitCodes(parts, change);
    default:
      return {
        kind: 'refused',
        refusal: {
          status: 400,
          reason: 'method: allowed are profile, password, totp and lookup_secret',
          message: 'The request was malformed or contained invalid parameters',
        },
      };
  }
}

/** The form of one account; refused to whoever is signed in with another. */
export function createSettingsKind(parts: KindParts): FlowKind {
  return {
    name: 'settings',
    page: PAGE,
    start: (query, visitor) => Promise.resolve(start(parts, query, visitor)),
    guard(flow, visitor) {
      const found = sessionFor(visitor, `${PAGE}?flow=${flow.id}`);
      if (found.kind === 'refused') return found.refusal;
      return found.session.person_id === flow.identity_id ? null : identityMismatch(PAGE);
    },
    nodes: (flow, visitor) => nodes(parts, flow, visitor),
    submit: (flow, fields, visitor) => submit(parts, { flow, fields }, visitor),
  };
}
