/** `/artifacts/*` (schema §3.1): what runs have left, and the files themselves. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import { authorize } from '../../access/policies/refuse-unless.ts';
import { parse } from '../../platform/http/parse.ts';
import type { RouteContext } from '../../access/request/route-context.ts';
import type { Database } from '../../platform/db/database.ts';
import { listCheckArtifacts, listRunArtifacts, readArtifact } from './artifacts-query.ts';

const runSchema = z.object({ id: z.guid({ error: 'must be an id' }) });
const checkSchema = runSchema.extend({
  time: z.iso.datetime({ offset: true, error: 'must be a time such as 2026-01-02T03:04:05Z' }),
});

/** Files that checks and playbook runs left: lists and downloads. */
export function registerArtifactRoutes(app: FastifyInstance, context: RouteContext<{ db: Database }>): void {
  app.get('/api/artifacts/list/check/:id/:time', async (request, reply) => {
    authorize(await context.authenticate(request), 'artifact', 'read');
    const { id, time } = parse(checkSchema, request.params);
    const rows = await listCheckArtifacts(context.callerDatabase(request), id, new Date(time));
    return reply.type('application/json; charset=utf-8').send(rows);
  });

  app.get('/api/artifacts/list/playbook_run/:id', async (request, reply) => {
    authorize(await context.authenticate(request), 'artifact', 'read');
    const { id } = parse(runSchema, request.params);
    const rows = await listRunArtifacts(context.callerDatabase(request), id);
    return reply.type('application/json; charset=utf-8').send(rows);
  });

  app.get('/api/artifacts/download/:id', async (request, reply) => {
    authorize(await context.authenticate(request), 'artifact', 'read');
    const { id } = parse(runSchema, request.params);
    const file = await readArtifact(context.backend().db, id);
    if (file === null) throw new AppError('not_found', 'The file is not here, or is no longer kept');
    // Somebody's script wrote it: a browser saves it and never opens it as a page of ours.
    const name = encodeURIComponent(file.filename.split('/').at(-1) ?? 'file').replaceAll("'", '%27');
    return reply
      .type(file.contentType ?? 'application/octet-stream')
      .header('content-disposition', `attachment; filename*=UTF-8''${name}`)
      .header('x-content-type-options', 'nosniff')
      .send(file.content);
  });
}
