/** Walls: pairing a screen, the paired ones, and the boards that they show. A wall itself only reads. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../src/contract/errors.ts';
import {
  boardDraftSchema,
  claimSchema,
  pairWallSchema,
  wallChangeSchema,
  wallSettingsSchema,
  type Wall,
} from '../../src/contract/http/walls.ts';
import { sessionTokenOf, setWallSession } from '../access/identity/routes/cookies.ts';
import type { Sessions } from '../access/identity/sessions/sessions.ts';
import { isWall } from '../access/identity/sessions/principal.ts';
import { authorize } from '../access/policies/refuse-unless.ts';
import type { RouteContext } from '../access/request/route-context.ts';
import type { Database, Queryable } from '../platform/db/database.ts';
import { parse } from '../platform/http/parse.ts';
import { claimPairing, confirmCode, startPairing } from './pairing.ts';
import {
  deleteBoard,
  deletePairingOf,
  endWall,
  findBoards,
  findWalls,
  saveBoard,
  updateWall,
  type WallRow,
} from './wall-query.ts';

type WallContext = RouteContext<{
  db: Database;
  sessions: Pick<Sessions, 'openWall'>;
  notify: (table: string) => void;
}>;

const limit = (max: number) => ({ config: { rateLimit: { max, timeWindow: '1 minute' } } });
/** Codes that a screen may ask for: each is good for ten minutes. */
const STARTS_PER_MINUTE = 10;
/** A screen asks each two seconds. */
const CLAIMS_PER_MINUTE = 120;
/** Whoever guesses codes gets this many tries. */
const CONFIRMS_PER_MINUTE = 10;

const idSchema = z.object({ id: z.guid() });
const screenOf = (request: FastifyRequest) => ({
  ip: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
});

/** Settings that were saved by another version are taken as far as they go. */
function presentWall({ settings, ...row }: WallRow): Wall {
  const parsed = wallSettingsSchema.safeParse(settings);
  return { ...row, settings: parsed.success ? parsed.data : wallSettingsSchema.parse({}) };
}

/** Writes to what is there, and has open pages and walls hear of it; throws `not_found` where nothing was there. */
async function change(
  context: WallContext,
  what: string,
  write: (tx: Queryable) => Promise<number>,
): Promise<void> {
  const { db, notify } = context.backend();
  await db.transaction(async (tx) => {
    if ((await write(tx)) === 0) throw new AppError('not_found', `There is no such ${what}`);
  });
  notify('people');
}

function registerPairing(app: FastifyInstance, context: WallContext): void {
  const parts = () => ({ ...context.backend(), platform: context.platform });
  app.post('/api/walls/pairings', limit(STARTS_PER_MINUTE), (request) =>
    startPairing(parts(), screenOf(request)),
  );

  app.post('/api/walls/pairings/claim', limit(CLAIMS_PER_MINUTE), async (request, reply) => {
    const { secret } = parse(claimSchema, request.body ?? {});
    const { state, token } = await claimPairing(parts(), secret, screenOf(request));
    if (token !== null) setWallSession(request, reply, token);
    return { state };
  });

  // A wall reads what a viewer reads, without end: only who makes accounts lets one in.
  app.post('/api/walls', limit(CONFIRMS_PER_MINUTE), async (request) => {
    const principal = await context.authenticate(request);
    authorize(principal, 'people', 'create');
    const asked = parse(pairWallSchema, request.body ?? {});
    const id = await confirmCode(parts(), { ...asked, pairedBy: principal.personId });
    context.backend().notify('people');
    return { id };
  });
}

function registerWalls(app: FastifyInstance, context: WallContext): void {
  app.get('/api/walls', async (request, reply) => {
    const principal = await context.authenticate(request);
    authorize(principal, 'canaries', 'read');
    const { db } = context.backend();
    if (isWall(principal)) {
      await deletePairingOf(db, principal.personId);
      const token = sessionTokenOf(request);
      // Browsers drop cookies after 400 days: each start of the screen begins them anew.
      if (token !== null) setWallSession(request, reply, token);
    }
    return (await findWalls(db)).map(presentWall);
  });

  app.patch('/api/walls/:id', async (request, reply) => {
    authorize(await context.authenticate(request), 'canaries', 'update');
    const { id } = parse(idSchema, request.params);
    const asked = parse(wallChangeSchema, request.body ?? {});
    await change(context, 'wall', (tx) => updateWall(tx, id, asked));
    return reply.code(204).send();
  });

  app.delete('/api/walls/:id', async (request, reply) => {
    authorize(await context.authenticate(request), 'people', 'delete');
    const { id } = parse(idSchema, request.params);
    await change(context, 'wall', (tx) => endWall(tx, id));
    return reply.code(204).send();
  });
}

function registerBoards(app: FastifyInstance, context: WallContext): void {
  app.get('/api/walls/boards', async (request) => {
    authorize(await context.authenticate(request), 'canaries', 'read');
    return findBoards(context.backend().db);
  });

  app.post('/api/walls/boards/:id', async (request, reply) => {
    const principal = await context.authenticate(request);
    authorize(principal, 'canaries', 'update');
    const { id } = parse(idSchema, request.params);
    const draft = parse(boardDraftSchema, request.body ?? {});
    const nowAt = new Date(context.platform.now());
    await change(context, 'board', (tx) =>
      saveBoard(tx, { ...draft, id, createdBy: principal.personId, nowAt }),
    );
    return reply.code(204).send();
  });

  app.delete('/api/walls/boards/:id', async (request, reply) => {
    authorize(await context.authenticate(request), 'canaries', 'delete');
    const { id } = parse(idSchema, request.params);
    await change(context, 'board', (tx) => deleteBoard(tx, id));
    return reply.code(204).send();
  });
}

/** `/api/walls`, `/api/walls/pairings`, `/api/walls/boards`. */
export function registerWallRoutes(app: FastifyInstance, context: WallContext): void {
  registerPairing(app, context);
  registerWalls(app, context);
  registerBoards(app, context);
}
