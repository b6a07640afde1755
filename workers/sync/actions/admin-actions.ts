/**
 * Does what administrators ask for, with somebody waiting (contract §2.4, §3, §8, §10, §14.1). Never queued, never
 * repeated: offline it is refused (design §4 law 9), and what comes back is not kept.
 */
import { AppError, errorFacts, ERROR_TEXTS } from '../../../src/contract/errors.ts';
import {
  adminActionSchema,
  agentAnswerSchema,
  inviteAnswerSchema,
  type AdminAction,
  type AdminOutcome,
  type SettingsTable,
} from '../../../src/contract/http/admin-actions.ts';
import { HttpFailure, type HttpClient, type HttpRequest } from '../network/http-client.ts';
import type { Answer } from '../../../src/contract/queries/queries.ts';
import { isTabletAction, tabletRequest, type TabletAction } from './tablet-calls.ts';
import { isWallAction, wallRequest, type WallAction } from './wall-calls.ts';
import type { StatusBoard } from '../status/status-board.ts';

const REPRESENTATION = { prefer: 'return=representation' };
export interface AdminParts {
  http: HttpClient;
  board: StatusBoard;
  /** What tables show may have changed. */
  onDone: () => void;
}

/** A connection test may wait as long as what it contacts. */
const TEST_TIMEOUT_MS = 60_000;
/** A scrape may read a whole cluster; what came of it is in its job history, whether or not this waits. */
const RUN_TIMEOUT_MS = 120_000;
const NOTHING: AdminOutcome = { link: null, token: null };

/** Properties are known by name and are gone when deleted; everything else has an id and is marked. */
function keyOf(table: SettingsTable): string {
  return table === 'properties' ? 'name' : 'id';
}

/** Only the key comes back: the rest may be secret. */
function rowPath(table: SettingsTable, key: string): string {
  const column = keyOf(table);
  const query = new URLSearchParams({ [column]: `eq.${key}`, select: column });
  return `/api/db/${table}?${query.toString()}`;
}

/** Links that a person made carry this; only they can be taken back (spec 2 §2). */
const MANUAL = 'manual';

function linkPath({ componentId, configId }: { componentId: string; configId: string }): string {
  const query = new URLSearchParams({
    component_id: `eq.${componentId}`,
    config_id: `eq.${configId}`,
    selector_id: `eq.${MANUAL}`,
    select: 'config_id',
  });
  return `/api/db/config_component_relationships?${query.toString()}`;
}

type LinkAction = Extract<AdminAction, { name: 'link_config' | 'unlink_config' }>;

function linkRequest(action: LinkAction): HttpRequest {
  if (action.name === 'unlink_config')
    return { path: linkPath(action), method: 'DELETE', headers: REPRESENTATION };
  return {
    path: '/api/db/config_component_relationships?select=config_id',
    method: 'POST',
    body: { component_id: action.componentId, config_id: action.configId, selector_id: MANUAL },
    headers: REPRESENTATION,
  };
}

type MembersAction = Extract<AdminAction, { name: 'add_team_members' | 'remove_team_member' }>;

function membersRequest(action: MembersAction): HttpRequest {
  const path = '/api/db/team_members';
  if (action.name === 'add_team_members') {
    return {
      path: `${path}?select=person_id`,
      method: 'POST',
      body: action.personIds.map((personId) => ({ team_id: action.teamId, person_id: personId })),
      headers: REPRESENTATION,
    };
  }
  // Both columns: by person alone they would leave every team.
  return {
    path: `${path}?team_id=eq.${action.teamId}&person_id=eq.${action.personId}&select=person_id`,
    method: 'DELETE',
    headers: REPRESENTATION,
  };
}

type AgentAction = Extract<AdminAction, { name: 'generate_agent' | 'delete_agent' }>;

function agentRequest(action: AgentAction): HttpRequest {
  if (action.name === 'delete_agent')
    return {
      path: rowPath('agents', action.id),
      method: 'PATCH',
      body: { deleted_at: 'now()', ...(action.cleanup ? { cleanup: true } : {}) },
      headers: REPRESENTATION,
    };
  const { agent, properties, pushTelemetry } = action;
  return {
    path: '/api/agent/generate',
    method: 'POST',
    body: { name: agent, properties, ...(pushTelemetry === undefined ? {} : { pushTelemetry }) },
  };
}

function requestFor(action: Exclude<AdminAction, WallAction | TabletAction>): HttpRequest {
  switch (action.name) {
    case 'insert_row':
      return {
        path: `/api/db/${action.table}?select=${keyOf(action.table)}`,
        method: 'POST',
        body: action.values,
        headers: REPRESENTATION,
      };
    case 'update_row':
      return {
        path: rowPath(action.table, action.key),
        method: 'PATCH',
        body: action.values,
        headers: REPRESENTATION,
      };
    case 'delete_row': {
      const path = rowPath(action.table, action.key);
      if (action.table === 'properties') return { path, method: 'DELETE', headers: REPRESENTATION };
      return { path, method: 'PATCH', body: { deleted_at: 'now()' }, headers: REPRESENTATION };
    }
    case 'invite_user': {
      const { name: _name, ...body } = action;
      return { path: '/api/auth/invite_user', method: 'POST', body };
    }
    case 'update_user': {
      const { name: _name, ...body } = action;
      return { path: '/api/people/update', method: 'POST', body };
    }
    case 'delete_user':
      return { path: `/api/people/${encodeURIComponent(action.id)}`, method: 'DELETE' };
    case 'link_config':
    case 'unlink_config':
      return linkRequest(action);
    case 'add_team_members':
    case 'remove_team_member':
      return membersRequest(action);
    case 'test_connection':
      return {
        path: `/api/connection/test/${encodeURIComponent(action.id)}`,
        method: 'POST',
        timeoutMs: TEST_TIMEOUT_MS,
      };
    case 'run_scraper':
      return {
        path: `/api/config/run/${encodeURIComponent(action.id)}`,
        method: 'POST',
        timeoutMs: RUN_TIMEOUT_MS,
      };
    case 'retry_events':
      return { path: '/api/events/retry', method: 'POST', body: { ids: action.ids } };
    case 'generate_agent':
    case 'delete_agent':
      return agentRequest(action);
  }
}

function outcomeOf(action: AdminAction, body: unknown): AdminOutcome {
  switch (action.name) {
    case 'invite_user':
      return { ...NOTHING, link: inviteAnswerSchema.parse(body).link };
    case 'generate_agent':
      return { ...NOTHING, token: agentAnswerSchema.parse(body).access_token };
    case 'update_row':
    case 'delete_row':
    case 'delete_agent':
    case 'unlink_config':
    case 'remove_team_member':
      // Nothing touched: the row is gone, or was never for this user.
      if (Array.isArray(body) && body.length === 0)
        throw new AppError('not_found', ERROR_TEXTS.not_found, { status: 404 });
      return NOTHING;
    case 'insert_row':
    case 'link_config':
    case 'add_team_members':
    case 'update_user':
    case 'delete_user':
    case 'test_connection':
    case 'run_scraper':
    case 'retry_events':
    case 'pair_wall':
    case 'change_wall':
    case 'revoke_wall':
    case 'save_board':
    case 'delete_board':
    case 'share_tablet':
    case 'revoke_tablet':
    case 'bind_tablet_session':
      return NOTHING;
  }
}

/** The field that a refusal is about: named as such, or the column of a constraint in PostgREST's details. */
function fieldOf(error: unknown): string | null {
  if (!(error instanceof HttpFailure)) return null;
  const { body } = error;
  if (typeof body !== 'object' || body === null) return null;
  if ('field' in body && typeof body.field === 'string') return body.field;
  if (!('details' in body) || typeof body.details !== 'string') return null;
  return /^Key \((\w+)[,)]/.exec(body.details)?.[1] ?? null;
}

function callOf(action: AdminAction): HttpRequest {
  if (isWallAction(action)) return wallRequest(action);
  return isTabletAction(action) ? tabletRequest(action) : requestFor(action);
}

async function runAdminAction({ http, board }: AdminParts, asked: unknown): Promise<AdminOutcome> {
  const parsed = adminActionSchema.safeParse(asked);
  if (!parsed.success)
    throw new AppError('invalid', ERROR_TEXTS.invalid, { cause: parsed.error, status: 400 });
  const action = parsed.data;
  const { connection } = board.get();
  if (connection === 'offline' || connection === 'server-unreachable')
    throw new AppError('network', ERROR_TEXTS.network, { retryable: true });
  return outcomeOf(action, await http.json(callOf(action)));
}

/** `field` names the form's field that a refusal is about, where the server says so. */
export type AdminAnswer = Answer<AdminOutcome> & { field: string | null };

/** Does it: what came of it, or why not and which field that is about. */
export async function administer(parts: AdminParts, asked: unknown): Promise<AdminAnswer> {
  try {
    const value = await runAdminAction(parts, asked);
    parts.onDone();
    return { ok: true, value, field: null };
  } catch (error) {
    return { ok: false, error: errorFacts(error), field: fieldOf(error) };
  }
}
