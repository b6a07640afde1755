/**
 * Who may put something on an agent. That the agent is there, has no other of that name and keeps what it has, are the
 * database's rules (migrations 0116 and 0119): they hold whichever way something is written.
 */
import { AppError } from '../../src/contract/errors.ts';
import { may } from '../../src/domain/access/matrix.ts';
import { isRemoteAgent } from '../../src/domain/settings/resource-source.ts';
import type { DataApiRequest } from '../replication/data-api/answer/engine.ts';
import { rowsOf } from '../replication/data-api/routes/sent-rows.ts';
import { MESSAGES } from './messages.ts';

const TABLES = ['canaries', 'config_scrapers'] as const;

function isOnAgent(row: object): boolean {
  const agentId: unknown = Reflect.get(row, 'agent_id');
  return typeof agentId === 'string' && isRemoteAgent(agentId);
}

/** Throws where somebody who may not see agents puts a new canary or scraper on one: agents are not to be guessed. */
export function refuseMisplaced({ target, method, roles, body }: DataApiRequest): Promise<void> {
  const table = target.kind === 'table' ? TABLES.find((one) => one === target.name) : undefined;
  if (table === undefined || (method !== 'POST' && method !== 'PUT')) return Promise.resolve();
  // Who may not write at all is told so by the data API.
  if (!may(roles, table, 'write') || may(roles, 'agents', 'read')) return Promise.resolve();
  if (!rowsOf(body).some(isOnAgent)) return Promise.resolve();
  return Promise.reject(new AppError('forbidden', MESSAGES.mayNotPlace, { field: 'agent_id' }));
}
