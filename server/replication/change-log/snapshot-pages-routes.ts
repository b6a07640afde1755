/** First loads by pages that are made once for all devices (src/contract/sync.ts). */
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { collectionSchema } from '../../../src/contract/collection-rows.ts';
import { PAGED_COLLECTIONS } from '../../../src/contract/collections.ts';
import { SNAPSHOT_CURSOR_HEADER } from '../../../src/contract/sync.ts';
import type { RouteContext } from '../../access/request/route-context.ts';
import { refuseUnless } from '../../access/policies/refuse-unless.ts';
import type { Database } from '../../platform/db/database.ts';
import { acceptedEncodings } from '../../platform/http/encoded-text.ts';
import { parse } from '../../platform/http/parse.ts';
import { readableCollections } from './collections.ts';
import { SnapshotPagesCache } from './snapshot-pages.ts';

const pagesQuery = z.object({
  collection: collectionSchema.refine((name) => PAGED_COLLECTIONS.has(name)),
  after: z.string().max(1000).optional(),
});

interface PagesContext extends RouteContext<{ db: Database }> {
  settings: { isChecksOnly: boolean };
}

/** Pages of a collection for whoever may read it. */
export function registerSnapshotPagesRoutes(app: FastifyInstance, context: PagesContext): void {
  const cache = new SnapshotPagesCache(() => context.platform.now());

  app.get('/api/sync/snapshot-pages', { compress: false }, async (request, reply) => {
    const reader = await context.authenticate(request);
    const { collection, after } = parse(pagesQuery, request.query);
    refuseUnless(readableCollections(reader.roles, context.settings).includes(collection), {
      subject: reader.personId,
      object: collection,
      action: 'read',
    });
    const { bytes, cursor } = await cache.get(context.backend().db, { collection, after: after ?? null });
    reply.header(SNAPSHOT_CURSOR_HEADER, cursor).header('vary', 'accept-encoding');
    reply.type('application/json; charset=utf-8');
    if (!acceptedEncodings(request).includes('gzip')) return reply.send(gunzipSync(bytes));
    return reply.header('content-encoding', 'gzip').send(bytes);
  });
}
