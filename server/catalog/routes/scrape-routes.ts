/** Run a scraper now (schema §5.3): answers when it is done, with what came in. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import { may } from '../../../src/domain/access/matrix.ts';
import { tryScraperSchema, type TriedScraper } from '../../../src/contract/http/trying/try-scraper.ts';
import { authorize, refuseUnless } from '../../access/policies/refuse-unless.ts';
import { parse } from '../../platform/http/parse.ts';
import type { RouteContext } from '../../access/request/route-context.ts';
import type { ScrapeService } from '../scrapers/scrape-service.ts';

const idSchema = z.object({ id: z.string() });
/** A run talks to other people's services; per signed-in address this is plenty. */
const RUNS_PER_MINUTE = 30;

/** Each may take a while, and goes wherever the one who writes it points. */
const TRIES_PER_MINUTE = 20;

/** `/api/config/run/:id`: a scraper runs now; `/api/config/try`: one that nobody has kept is tried. */
export function registerScrapeRoutes(
  app: FastifyInstance,
  context: RouteContext<{ scrapers: Pick<ScrapeService, 'runNow' | 'tryScraper'> }>,
): void {
  const tries = { rateLimit: { max: TRIES_PER_MINUTE, timeWindow: '1 minute' } };
  app.post('/api/config/try', { config: tries }, async (request): Promise<TriedScraper> => {
    const { personId, roles } = await context.authenticate(request);
    // Whoever may keep a scraper may have it read.
    const asked = { subject: personId, object: 'database.config_scrapers', action: 'create' };
    refuseUnless(may(roles, 'config_scrapers', 'write'), asked);
    const body = parse(tryScraperSchema, request.body ?? {});
    const author = may(roles, 'connections', 'write') ? 'granter' : 'user';
    return context.backend().scrapers.tryScraper({ ...body, author, signal: context.closed(request) });
  });

  const config = { rateLimit: { max: RUNS_PER_MINUTE, timeWindow: '1 minute' } };

  app.post('/api/config/run/:id', { config }, async (request) => {
    authorize(await context.authenticate(request), 'catalog', 'update');
    const { id } = parse(idSchema, request.params);
    const isId = z.guid().safeParse(id).success;
    const result = isId ? await context.backend().scrapers.runNow(id) : 'unknown';
    switch (result) {
      case 'unknown':
        throw new AppError('not_found', `scraper ${id} not found`);
      case 'busy':
        throw new AppError('conflict', `scraper ${id} is running already`);
      case 'refused':
        throw new AppError(
          'invalid',
          `scraper ${id} can't run: its specification is refused; its job history says why`,
        );
      default:
        return result;
    }
  });
}
