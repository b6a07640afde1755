/**
 * What people keep here for an agent to run goes to one that there is, once by its name: the agent could keep no second
 * one. That it stays with its agent is the database's rule (migration 0119).
 */
import { AppError } from '../../src/contract/errors.ts';
import { may } from '../../src/domain/access/matrix.ts';
import { isRemoteAgent } from '../../src/domain/settings/resource-source.ts';
import type { Queryable } from '../platform/db/database.ts';
import type { DataApiRequest } from '../replication/data-api/answer/engine.ts';
import { rowsOf } from '../replication/data-api/routes/sent-rows.ts';
import { assignedWithName, liveAgents } from './assigned-documents-query.ts';
import type { AssignedPlace, AssignedTable } from './assigned-documents-query.ts';
import { MESSAGES } from './messages.ts';

const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DEFAULT_NAMESPACE = 'default';

const textOf = (row: object, field: string): string | null => {
  const value: unknown = Reflect.get(row, field);
  return typeof value === 'string' ? value : null;
};

/** Of rows that are put on an agent; what is no id the data API refuses itself. */
function placesOf(body: string | undefined): AssignedPlace[] {
  return rowsOf(body).flatMap((row) => {
    const agentId = textOf(row, 'agent_id');
    if (agentId === null || !isRemoteAgent(agentId) || !GUID.test(agentId)) return [];
    const id = textOf(row, 'id');
    return [
      {
        id: id !== null && GUID.test(id) ? id : null,
        agentId: agentId.toLowerCase(),
        name: textOf(row, 'name') ?? '',
        namespace: textOf(row, 'namespace') ?? DEFAULT_NAMESPACE,
      },
    ];
  });
}

function tableOf({ target }: DataApiRequest): AssignedTable | null {
  if (target.kind !== 'table') return null;
  return target.name === 'canaries' || target.name === 'config_scrapers' ? target.name : null;
}

/** Throws where a new canary or scraper names an agent that is not there, or that has one of that name already. */
export async function refuseMisplaced(asked: DataApiRequest, db: () => Queryable): Promise<void> {
  const table = tableOf(asked);
  if (table === null || (asked.method !== 'POST' && asked.method !== 'PUT')) return;
  // Who may not write at all is told so by the data API.
  if (!may(asked.roles, table, 'write')) return;
  const places = placesOf(asked.body);
  if (places.length === 0) return;
  if (!may(asked.roles, 'agents', 'read'))
    throw new AppError('forbidden', MESSAGES.mayNotPlace, { field: 'agent_id' });
  const live = await liveAgents(
    db(),
    places.map(({ agentId }) => agentId),
  );
  if (places.some(({ agentId }) => !live.has(agentId)))
    throw new AppError('invalid', MESSAGES.noSuchAgent, { field: 'agent_id' });
  const taken = await assignedWithName(db(), table, places);
  if (taken !== null) throw new AppError('conflict', MESSAGES.placeTaken(taken), { field: 'name' });
}
