/** The change feed by request: pages of changes and of snapshots (src/contract/sync.ts). */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { collectionSchema } from '../../../src/contract/collection-rows.ts';
import type { CollectionName } from '../../../src/contract/collections.ts';
import { cursorSchema, type ChangesAnswer, type SnapshotPage } from '../../../src/contract/sync.ts';
import { parseCursor, readChanges, readSmallSnapshots, readSnapshot } from './change-feed.ts';
import { readableCollections } from './collections.ts';
import { Tallies } from './tallies.ts';
import type { Database, Queryable, Transactions } from '../../platform/db/database.ts';
import { refuseUnless } from '../../access/policies/refuse-unless.ts';
import { EncodedText } from '../../platform/http/encoded-text.ts';
import { NextAnswers } from '../../platform/http/next-answers.ts';
import { parse } from '../../platform/http/parse.ts';
import type { RouteContext } from '../../access/request/route-context.ts';

const DEFAULT_LIMIT = 500;
const MOST_ROWS = 5000;

const limit = z.coerce.number().int().min(1).max(MOST_ROWS).default(DEFAULT_LIMIT);
const changesQuery = z.object({
  cursor: cursorSchema.optional(),
  limit,
  collections: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(collectionSchema))
    .optional(),
  tally: z.stringbool().default(false),
});
const snapshotQuery = z.object({
  collection: collectionSchema,
  after: z.string().max(1000).optional(),
  limit,
});

/** Pages of the feed and snapshots of a collection. */
export function registerChangesRoutes(
  app: FastifyInstance,
  context: RouteContext<{ db: Database }> & { settings: { isChecksOnly: boolean } },
): void {
  const tallies = new Tallies(() => context.platform.now());

  /** The answer, with what the one collection comes to of which nothing changed. */
  const withTally = async (
    answer: ChangesAnswer,
    collections: readonly CollectionName[],
    db: Queryable,
  ): Promise<ChangesAnswer> => {
    const [collection, ...others] = collections;
    if (answer.kind !== 'page' || collection === undefined || others.length > 0) return answer;
    if (answer.changes.length > 0 || !answer.readable.includes(collection)) return answer;
    const epoch = parseCursor(answer.cursor)?.epoch ?? '';
    const tally = await tallies.of(db, epoch, collection);
    return tally === null ? answer : { ...answer, tally };
  };

  // After an outage all devices ask from where they all stood: the same for everybody who may read the same.
  const pulls = new NextAnswers<EncodedText>();

  app.get('/api/sync/changes', { compress: false }, async (request, reply) => {
    const reader = await context.authenticate(request);
    const query = parse(changesQuery, request.query);
    const readable = readableCollections(reader.roles, context.settings);
    const { cursor = null, limit: most, collections = null } = query;
    const read = (db: Transactions) =>
      readChanges(db, { readable, now: () => context.platform.now() }, { cursor, limit: most, collections });
    if (query.tally) {
      const db = context.callerDatabase(request);
      const answer = await withTally(await read(db), collections ?? [], db);
      return new EncodedText(JSON.stringify(answer)).sendJson(request, reply);
    }
    // Whoever asked first may be gone before the others have their answer.
    const db = context.backend().db.asCaller({ id: reader.personId });
    const key = JSON.stringify([readable, cursor, most, collections]);
    const answer = await pulls.share(key, async () => new EncodedText(JSON.stringify(await read(db))));
    return answer.sendJson(request, reply);
  });

  // Devices that come together, after a restart or at the start of a shift, get one answer.
  const small = new NextAnswers<EncodedText>();

  app.get('/api/sync/small-snapshots', { compress: false }, async (request, reply) => {
    const reader = await context.authenticate(request);
    const readable = readableCollections(reader.roles, context.settings);
    const db = context.backend().db.asCaller({ id: reader.personId });
    const answer = await small.share(
      JSON.stringify(readable),
      async () => new EncodedText(JSON.stringify({ snapshots: await readSmallSnapshots(db, readable) })),
    );
    return answer.sendJson(request, reply);
  });

  app.get('/api/sync/snapshot', async (request): Promise<SnapshotPage> => {
    const reader = await context.authenticate(request);
    const { collection, after, limit: most } = parse(snapshotQuery, request.query);
    const readable = readableCollections(reader.roles, context.settings);
    refuseUnless(readable.includes(collection), {
      subject: reader.personId,
      object: collection,
      action: 'read',
    });
    return readSnapshot(context.callerDatabase(request), collection, { after: after ?? null, limit: most });
  });
}
