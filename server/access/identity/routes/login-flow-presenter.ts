/** Flows, sessions and refusals of sign-in in the identity provider's JSON (contract §2.2). */
import { STATUS_CODES } from 'node:http';
import { SELF_SERVICE } from '../flows/flow-kind.ts';
import type { IdentityRefusal } from '../flows/flow-kind.ts';
import type { FlowNode } from '../flows/flow-nodes.ts';
import type { FlowRow } from '../flows/flow-query.ts';
import type { SessionRow } from '../queries/session-query.ts';

export interface FlowView {
  flow: FlowRow;
  nodes: FlowNode[];
  /** Scheme and host under which the browser knows us. */
  origin: string;
}

/** What the provider tells of some kinds of flow only. */
function extrasOf(flow: FlowRow): Record<string, unknown> {
  switch (flow.kind) {
    case 'login':
      return { refresh: flow.is_refresh, requested_aal: flow.requested_aal };
    case 'recovery':
    case 'verification':
      return { active: 'code' };
    case 'registration':
    case 'settings':
      return {};
  }
}

/** A flow for the browser that holds its cookie. */
export function presentFlow({ flow, nodes, origin }: FlowView) {
  return {
    id: flow.id,
    type: 'browser',
    expires_at: flow.expires_at,
    issued_at: flow.issued_at,
    request_url: flow.request_url,
    ...(flow.return_to === null ? {} : { return_to: flow.return_to }),
    ui: {
      action: `${origin}${SELF_SERVICE}/${flow.kind}?flow=${flow.id}`,
      method: 'POST',
      nodes,
      messages: flow.ui.messages ?? [],
    },
    created_at: flow.issued_at,
    updated_at: flow.issued_at,
    ...extrasOf(flow),
    state: flow.state,
  };
}

/** The account behind a session, as the identity provider answers it. */
export function presentIdentity(row: SessionRow) {
  return {
    id: row.person_id,
    schema_id: 'default',
    schema_url: '',
    state: 'active',
    traits: row.traits,
    verifiable_addresses: [
      {
        id: row.person_id,
        value: row.traits.email ?? '',
        via: 'email',
        verified: row.email_verified_at !== null,
        status: row.email_verified_at === null ? 'sent' : 'completed',
        ...(row.email_verified_at === null ? {} : { verified_at: row.email_verified_at }),
      },
    ],
    recovery_addresses: [{ id: row.person_id, value: row.traits.email ?? '', via: 'email' }],
    created_at: row.identity_created_at,
    updated_at: row.identity_updated_at,
  };
}

/** A session as the identity provider answers it. */
export function presentSession(row: SessionRow) {
  return {
    id: row.session_id,
    active: true,
    expires_at: row.expires_at,
    authenticated_at: row.authenticated_at,
    issued_at: row.issued_at,
    authenticator_assurance_level: row.aal,
    authentication_methods: row.methods,
    identity: presentIdentity(row),
    devices: [
      { id: row.session_id, ip_address: row.ip ?? '', user_agent: row.user_agent ?? '', location: '' },
    ],
  };
}

/** The error alone, as an error page asks for it. */
export function presentError({ status, id, reason, message }: IdentityRefusal) {
  return { ...(id === undefined ? {} : { id }), code: status, status: STATUS_CODES[status], reason, message };
}

/** A refusal as the identity provider words it: clients act on `error.id`. */
export function presentRefusal(refusal: IdentityRefusal) {
  return { error: presentError(refusal), ...refusal.extra };
}
