/** Flows, sessions and refusals of sign-in in the identity provider's JSON (contract §2.2). */
import type { FlowRow } from '../identity/flow-query.ts';
import { csrfTokenOf } from '../identity/login-flows.ts';
import type { SessionRow } from '../identity/session-query.ts';

export interface FlowMessage {
  id: number;
  text: string;
  type: 'error' | 'info';
}

export const WRONG_CREDENTIALS: FlowMessage = {
  id: 4_000_006,
  text:
    'The provided credentials are invalid, check for spelling mistakes in your password or username, ' +
    'email address, or phone number.',
  type: 'error',
};

/** The message of a field that was left empty. */
export function missingField(name: string): FlowMessage {
  return { id: 4_000_002, text: `Property ${name} is missing.`, type: 'error' };
}

interface NodeRequest {
  group: string;
  attributes: Record<string, unknown>;
  label?: FlowMessage;
  messages?: FlowMessage[];
}

function node({ group, attributes, label, messages = [] }: NodeRequest) {
  return {
    type: 'input',
    group,
    attributes: { ...attributes, disabled: false, node_type: 'input' },
    messages,
    meta: label === undefined ? {} : { label },
  };
}

export interface FlowView {
  flow: FlowRow;
  csrfCookie: string;
  /** Scheme and host under which the browser knows us. */
  origin: string;
  identifier?: string;
  messages?: FlowMessage[];
  fieldMessages?: Record<string, FlowMessage[]>;
}

function loginNodes({ flow, csrfCookie, identifier = '', fieldMessages = {} }: FlowView) {
  const label = (id: number, text: string): FlowMessage => ({ id, text, type: 'info' });
  return [
    node({
      group: 'default',
      attributes: {
        name: 'csrf_token',
        type: 'hidden',
        value: csrfTokenOf(flow.id, csrfCookie),
        required: true,
      },
    }),
    node({
      group: 'default',
      attributes: {
        name: 'identifier',
        type: 'text',
        value: identifier,
        required: true,
        autocomplete: 'username',
      },
      label: label(1_070_002, 'E-Mail'),
      messages: fieldMessages['identifier'] ?? [],
    }),
    node({
      group: 'password',
      attributes: { name: 'password', type: 'password', required: true, autocomplete: 'current-password' },
      label: label(1_070_001, 'Password'),
      messages: fieldMessages['password'] ?? [],
    }),
    node({
      group: 'password',
      attributes: { name: 'method', type: 'submit', value: 'password' },
      label: label(1_010_001, 'Sign in'),
    }),
  ];
}

/** A sign-in flow for the browser that holds its cookie. */
export function presentLoginFlow(view: FlowView) {
  const { flow, origin, messages = [] } = view;
  return {
    id: flow.id,
    type: 'browser',
    expires_at: flow.expires_at,
    issued_at: flow.issued_at,
    request_url: flow.request_url,
    ...(flow.return_to === null ? {} : { return_to: flow.return_to }),
    active: 'password',
    ui: {
      action: `${origin}/api/.ory/self-service/login?flow=${flow.id}`,
      method: 'POST',
      nodes: loginNodes(view),
      messages,
    },
    created_at: flow.issued_at,
    updated_at: flow.issued_at,
    refresh: flow.is_refresh,
    requested_aal: 'aal1',
    state: 'choose_method',
  };
}

/** A session as the identity provider answers it. */
export function presentSession(row: SessionRow) {
  return {
    id: row.session_id,
    active: true,
    expires_at: row.expires_at,
    authenticated_at: row.authenticated_at,
    issued_at: row.authenticated_at,
    authenticator_assurance_level: 'aal1',
    authentication_methods: [{ method: 'password', aal: 'aal1', completed_at: row.authenticated_at }],
    identity: {
      id: row.person_id,
      schema_id: 'default',
      schema_url: '',
      state: 'active',
      traits: row.traits,
      created_at: row.identity_created_at,
      updated_at: row.identity_updated_at,
    },
  };
}

export interface IdentityRefusal {
  status: number;
  id?: string;
  reason: string;
  message: string;
  extra?: Record<string, unknown>;
}

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  410: 'Gone',
  429: 'Too Many Requests',
};

/** A refusal as the identity provider words it: clients act on `error.id`. */
export function presentRefusal({ status, id, reason, message, extra = {} }: IdentityRefusal) {
  return {
    error: {
      ...(id === undefined ? {} : { id }),
      code: status,
      status: STATUS_NAMES[status],
      reason,
      message,
    },
    ...extra,
  };
}
