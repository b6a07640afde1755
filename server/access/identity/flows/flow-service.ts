/**
 * Forms of every kind in the contract's browser flow (contract §2.2). Invariants: a flow is bound to the browser
 * that asked for it (CSRF cookie) and lives 30 minutes; it is sent only with the token that the page of this very
 * browser holds; what a kind decides is stored before it is shown.
 */
import type { Database } from '../../../platform/db/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { isSameMark, hashToken } from '../../../platform/crypto/secrets.ts';
import type {
  Fields,
  FlowKind,
  FlowSeed,
  IdentityRefusal,
  Outcome,
  StartQuery,
  Visitor,
} from './flow-kind.ts';
import { deleteFlow, deleteOldFlows, findFlow, insertFlow, updateFlow } from './flow-query.ts';
import type { FlowKindName, FlowRow } from './flow-query.ts';
import { CSRF_REFUSAL, expired, UNKNOWN_FLOW } from './refusals.ts';

const FLOW_MS = 30 * 60_000;
/** Expired flows stay this long, so that a late submit learns that it is late. */
const FLOW_GRACE_MS = 24 * 3_600_000;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export type FlowAnswer = { kind: 'flow'; flow: FlowRow } | { kind: 'refused'; refusal: IdentityRefusal };

/** The hidden field of a flow: only who holds the cookie can tell it. */
export function csrfTokenOf(flowId: string, csrfCookie: string): string {
  return hashToken('csrf-token', flowId, csrfCookie);
}

export interface FlowStore {
  db: Database;
  platform: Platform;
}

interface Sown {
  kind: FlowKindName;
  seed: FlowSeed;
  query: StartQuery;
}

/** Stores a new flow for a browser. */
export async function sowFlow(
  { db, platform }: FlowStore,
  { kind, seed, query }: Sown,
  visitor: Visitor,
): Promise<FlowRow> {
  const nowMs = platform.now();
  await deleteOldFlows(db, new Date(nowMs - FLOW_GRACE_MS));
  return insertFlow(db, {
    id: platform.newId(),
    kind,
    csrf_mark: hashToken('csrf-cookie', visitor.csrfCookie ?? ''),
    identity_id: seed.identityId ?? null,
    return_to: query.returnTo,
    is_refresh: seed.isRefresh ?? false,
    requested_aal: seed.aal ?? 'aal1',
    state: seed.state,
    context: seed.context ?? {},
    ui: seed.ui ?? {},
    request_url: query.requestUrl,
    issued_at: new Date(nowMs).toISOString(),
    expires_at: new Date(nowMs + FLOW_MS).toISOString(),
  });
}

async function create(
  store: FlowStore,
  kind: FlowKind,
  { query, visitor }: { query: StartQuery; visitor: Visitor },
): Promise<FlowAnswer> {
  const started = await kind.start(query, visitor);
  if (started.kind === 'refused') return started;
  return {
    kind: 'flow',
    flow: await sowFlow(store, { kind: kind.name, seed: started.seed, query }, visitor),
  };
}

/** The refusal that names the form to go on with. */
async function replace(
  store: FlowStore,
  kind: FlowKind,
  { flow, visitor }: { flow: FlowRow; visitor: Visitor },
): Promise<IdentityRefusal> {
  const query: StartQuery = {
    returnTo: flow.return_to,
    isRefresh: flow.is_refresh,
    aal: flow.requested_aal,
    invitation: flow.context.invitation ?? null,
    linkToken: null,
    requestUrl: flow.request_url,
  };
  const created = await create(store, kind, { query, visitor });
  return created.kind === 'refused' ? created.refusal : expired(flow, created.flow.id, kind.page);
}

async function read(
  store: FlowStore,
  kind: FlowKind,
  { id, visitor }: { id: string; visitor: Visitor },
): Promise<FlowAnswer> {
  const flow = UUID.test(id) ? await findFlow(store.db, kind.name, id) : null;
  if (flow === null) return { kind: 'refused', refusal: UNKNOWN_FLOW };
  const { csrfCookie } = visitor;
  if (csrfCookie === null || !isSameMark(hashToken('csrf-cookie', csrfCookie), flow.csrf_mark)) {
    return { kind: 'refused', refusal: CSRF_REFUSAL };
  }
  if (Date.parse(flow.expires_at) <= store.platform.now()) {
    return { kind: 'refused', refusal: await replace(store, kind, { flow, visitor }) };
  }
  const refusal = kind.guard(flow, visitor);
  return refusal === null ? { kind: 'flow', flow } : { kind: 'refused', refusal };
}

interface Submission {
  id: string;
  fields: Fields;
  visitor: Visitor;
}

export type Settled = Exclude<Outcome, { kind: 'dead' | 'gone' }>;

async function submit(
  store: FlowStore,
  kind: FlowKind,
  { id, fields, visitor }: Submission,
): Promise<Settled> {
  const found = await read(store, kind, { id, visitor });
  if (found.kind === 'refused') return found;
  const { flow } = found;
  const csrfToken = csrfTokenOf(flow.id, visitor.csrfCookie ?? '');
  if (!isSameMark(fields.get('csrf_token') ?? '', csrfToken))
    return { kind: 'refused', refusal: CSRF_REFUSAL };
  const outcome = await kind.submit(flow, fields, visitor);
  switch (outcome.kind) {
    case 'form':
      await updateFlow(store.db, outcome.flow);
      return outcome;
    case 'dead':
      await deleteFlow(store.db, flow.id);
      return { kind: 'refused', refusal: await replace(store, kind, { flow, visitor }) };
    case 'gone':
      return { kind: 'refused', refusal: UNKNOWN_FLOW };
    case 'signed-in':
    case 'moved':
    case 'refused':
      return outcome;
  }
}

export interface FlowService {
  kind(name: FlowKindName): FlowKind;
  create(name: FlowKindName, ask: { query: StartQuery; visitor: Visitor }): Promise<FlowAnswer>;
  /** The flow for the browser that holds its cookie. */
  read(name: FlowKindName, ask: { id: string; visitor: Visitor }): Promise<FlowAnswer>;
  submit(name: FlowKindName, submission: Submission): Promise<Settled>;
}

/** The steps that all kinds share; what differs between them comes from `kinds`. */
export function createFlowService(
  store: FlowStore,
  kinds: Readonly<Record<FlowKindName, FlowKind>>,
): FlowService {
  return {
    kind: (name) => kinds[name],
    create: (name, ask) => create(store, kinds[name], ask),
    read: (name, ask) => read(store, kinds[name], ask),
    submit: (name, submission) => submit(store, kinds[name], submission),
  };
}
