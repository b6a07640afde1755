/** What actions write while they run: a page asks for what comes after what it has, and is answered when there is some. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import type { RunOutput } from '../../../src/contract/http/playbooks/playbook-output.ts';
import { authorize } from '../../access/policies/refuse-unless.ts';
import type { RouteContext } from '../../access/request/route-context.ts';
import type { Transactions } from '../../platform/db/database.ts';
import { parse } from '../../platform/http/parse.ts';
import type { PlaybookService } from '../running/playbook-service.ts';
import { readOutput, readRunStatus } from '../running/output/output-query.ts';

/** At most 64 KB each. */
const PIECES = 16;
const LONGEST_WAIT_MS = 25_000;
/** Another server may have the run. */
const LOOK_EVERY_MS = 200;
const OVER = new Set(['completed', 'failed', 'cancelled']);

const paramsSchema = z.object({ id: z.guid({ error: 'must be the id of a run' }) });
const querySchema = z.object({
  after: z.coerce.number().int().min(0).default(0),
  wait: z.coerce.number().int().min(0).max(LONGEST_WAIT_MS).default(0),
});

async function outputOf(db: Transactions, runId: string, after: number): Promise<RunOutput> {
  // Before the pieces: what is over then has written all of them.
  const status = await readRunStatus(db, runId);
  if (status === null) throw new AppError('not_found', `run ${runId} not found`);
  const found = await readOutput(db, { runId, after, limit: PIECES });
  const next = found.at(-1)?.id ?? after;
  const pieces = found.map(({ id: _id, ...piece }) => piece);
  return { pieces, next, is_over: OVER.has(status) && found.length < PIECES };
}

/** What the output's routes need of the running program. */
interface OutputParts {
  playbooks: Pick<PlaybookService, 'onProgress'>;
}

/** One call, asked again with its `next` until `is_over`. */
export function registerOutputRoutes(app: FastifyInstance, context: RouteContext<OutputParts>): void {
  app.get('/api/playbook/run/:id/output', async (request) => {
    authorize(await context.authenticate(request), 'playbooks', 'read');
    const { id } = parse(paramsSchema, request.params);
    const { after, wait } = parse(querySchema, request.query);
    const { platform } = context;
    const db = context.callerDatabase(request);
    const closed = context.closed(request);
    const untilMs = platform.now() + wait;
    for (;;) {
      const waiting = new AbortController();
      const stop = context.backend().playbooks.onProgress(() => waiting.abort());
      try {
        const output = await outputOf(db, id, after);
        const leftMs = untilMs - platform.now();
        if (output.pieces.length > 0 || output.is_over || leftMs <= 0 || closed.aborted) return output;
        const signal = AbortSignal.any([waiting.signal, closed]);
        await platform.sleep(Math.min(LOOK_EVERY_MS, leftMs), signal);
      } finally {
        stop();
      }
    }
  });
}
