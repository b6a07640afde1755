/** Is the process up, can it answer, and its figures. No sign-in: orchestrators and proxies ask these. */
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../src/contract/errors.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { pingDatabase } from './ping-query.ts';

/** `/api/healthz`, `/api/readyz` and the call of the contract. */
export function registerHealthRoutes(
  app: FastifyInstance,
  deps: { backend: () => { db: Queryable } | null; settings: { backendUrl: string | null } },
): void {
  app.get('/api/healthz', async () => ({ status: 'ok' }));

  app.get('/api/readyz', async (request) => {
    if (deps.settings.backendUrl !== null) return { status: 'ok' };
    const backend = deps.backend();
    if (backend === null) throw new AppError('server', 'The server is starting', { status: 503 });
    try {
      await pingDatabase(backend.db);
    } catch (error) {
      request.log.error({ err: error }, 'the database does not answer');
      throw new AppError('server', 'The database does not answer', { status: 503, cause: error });
    }
    return { status: 'ok' };
  });

  // The contract's own health call, answered by whatever serves the app.
  app.get('/api/_health', async () => ({ health: 'ok' }));
}
