/** What a kind of form is, to the service that stores forms and to the routes that answer them. */
import type { Aal, SessionRow } from '../queries/session-query.ts';
import type { FlowNode } from './flow-nodes.ts';
import type { FlowContext, FlowKindName, FlowRow, FlowState, FlowUi } from './flow-query.ts';

/** Who asks: what the browser brought, already checked for form. */
export interface Visitor {
  csrfCookie: string | null;
  sessionToken: string | null;
  session: SessionRow | null;
  deviceToken: string | null;
  ip: string;
  userAgent: string;
  /** Scheme and host under which this browser knows us; for leading it on, never for mail. */
  origin: string;
}

/** A refusal as the identity provider words it: clients act on `id`. */
export interface IdentityRefusal {
  status: number;
  id?: string;
  reason: string;
  message: string;
  extra?: Record<string, unknown>;
  retryAfterSeconds?: number;
  /** Where a browser that wanted a page is led; without one, to the page that shows the error. */
  page?: string;
}

export interface StartQuery {
  returnTo: string | null;
  isRefresh: boolean;
  aal: Aal;
  /** Mark of the invitation that came with the link. */
  invitation: string | null;
  /** Token of a mailed link. */
  linkToken: string | null;
  requestUrl: string;
}

export interface FlowSeed {
  identityId?: string;
  aal?: Aal;
  isRefresh?: boolean;
  state: FlowState;
  context?: FlowContext;
  ui?: FlowUi;
}

export type Started = { kind: 'seed'; seed: FlowSeed } | { kind: 'refused'; refusal: IdentityRefusal };

/** What the browser gets to keep. */
export interface NewCookies {
  sessionToken?: string;
  deviceToken?: string;
}

export type Outcome =
  /** The form again: changed and accepted (200), or with what is wrong (400). */
  | { kind: 'form'; isAccepted: boolean; flow: FlowRow; cookies?: NewCookies; continueWith?: unknown[] }
  | {
      kind: 'signed-in';
      session: SessionRow;
      cookies: NewCookies;
      returnTo: string | null;
      continueWith?: unknown[];
    }
  /** It goes on elsewhere. */
  | { kind: 'moved'; to: string; cookies?: NewCookies }
  | { kind: 'refused'; refusal: IdentityRefusal }
  /** Tried too often: this form is over. */
  | { kind: 'dead' }
  /** Somebody used the form up in the meantime. */
  | { kind: 'gone' };

export type Fields = ReadonlyMap<string, string>;

export interface FlowKind {
  name: FlowKindName;
  /** The page of the app that shows the form. */
  page: string;
  start(query: StartQuery, visitor: Visitor): Promise<Started>;
  /** Why this visitor may not see or send the form although it is his browser's; null when he may. */
  guard(flow: FlowRow, visitor: Visitor): IdentityRefusal | null;
  nodes(flow: FlowRow, visitor: Visitor): Promise<FlowNode[]>;
  submit(flow: FlowRow, fields: Fields, visitor: Visitor): Promise<Outcome>;
}

export const SELF_SERVICE = '/api/.ory/self-service';
