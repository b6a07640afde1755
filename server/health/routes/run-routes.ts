/** Run Now, and what version runs here. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import { APP_VERSION } from '../../../src/contract/version.ts';
import { tryCheckSchema, type TriedChecks } from '../../../src/contract/http/trying/try-check.ts';
import { may, mayRunCheck } from '../../../src/domain/access/matrix.ts';
import { parse } from '../../platform/http/parse.ts';
import { authorize, refuseUnless } from '../../access/policies/refuse-unless.ts';
import type { RouteContext } from '../../access/request/route-context.ts';
import type { CheckService } from '../check-service.ts';

const paramsSchema = z.object({ id: z.guid() });
/** Each may take a while, and goes wherever the one who writes it points. */
const TRIES_PER_MINUTE = 20;
/** A run talks to other people's services; per signed-in address this is plenty. */
const RUNS_PER_MINUTE = 60;

/** `/api/canary/run/check/:id`: a check runs now; `/api/canary/try`: one that nobody has kept is tried. */
export function registerRunRoutes(
  app: FastifyInstance,
  context: RouteContext<{ checks: Pick<CheckService, 'runCheckNow' | 'tryChecks'> }>,
): void {
  const config = { rateLimit: { max: RUNS_PER_MINUTE, timeWindow: '1 minute' } };

  app.post('/api/canary/run/check/:id', { config }, async (request, reply) => {
    const principal = await context.authenticate(request);
    refuseUnless(mayRunCheck(principal.roles), {
      subject: principal.personId,
      object: 'canaries',
      action: 'create',
    });
    const params = paramsSchema.safeParse(request.params);
    if (!params.success) throw new AppError('not_found', 'check not found');
    const result = await context.backend().checks.runCheckNow(params.data.id);
    if (result === 'unknown') throw new AppError('not_found', 'check not found');
    return result === null ? reply.code(200).send() : result;
  });

  const tries = { rateLimit: { max: TRIES_PER_MINUTE, timeWindow: '1 minute' } };
  app.post('/api/canary/try', { config: tries }, async (request): Promise<TriedChecks> => {
    const principal = await context.authenticate(request);
    // Whoever may keep a check may have it run.
    authorize(principal, 'canaries', 'create');
    const asked = parse(tryCheckSchema, request.body ?? {});
    const author = may(principal.roles, 'connections', 'write') ? 'granter' : 'user';
    const signal = context.closed(request);
    return { checks: await context.backend().checks.tryChecks({ ...asked, author, signal }) };
  });
}

/** Time and version, as the health service tells them. */
export function registerAboutRoutes(app: FastifyInstance, context: RouteContext): void {
  // The specification says /about, the original client asks below the canary base (contract §2.1).
  for (const path of ['/api/about', '/api/canary/about']) {
    app.get(path, async (request) => {
      await context.authenticate(request);
      return { Timestamp: new Date(context.platform.now()).toISOString(), Version: APP_VERSION };
    });
  }
}
