/** Commands of the app (src/contract/sync.ts): what its people did, in batches. */
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../src/contract/errors.ts';
import { commandBatchSchema, knownCommandsSchema } from '../../../src/contract/sync.ts';
import type { CommandAnswer } from '../../../src/contract/sync.ts';
import { isInApp } from '../../access/identity/sessions/principal.ts';
import { parse } from '../../platform/http/parse.ts';
import type { RouteContext } from '../../access/request/route-context.ts';
import type { CommandService } from './command-service.ts';

/** Five hundred devices behind one address may come back at the same moment, each with a few batches. */
const BATCHES_PER_MINUTE = 3000;

/** Takes batches of commands; tells which of a list were done. */
export function registerCommandRoutes(
  app: FastifyInstance,
  context: RouteContext<{ commands: CommandService }>,
): void {
  const config = {
    rateLimit: { max: BATCHES_PER_MINUTE, timeWindow: '1 minute' },
    takesAnyText: true as const,
  };

  app.post('/api/sync/commands', { config }, async (request): Promise<CommandAnswer> => {
    const sender = await context.authenticate(request);
    if (!isInApp(sender)) {
      throw new AppError('forbidden', 'Commands need a session, sign in instead of sending a password');
    }
    const batch = parse(commandBatchSchema, request.body);
    return context.backend().commands.handle(sender, batch);
  });

  app.post('/api/sync/commands/known', { config }, async (request) => {
    const sender = await context.authenticate(request);
    const { commandIds } = parse(knownCommandsSchema, request.body);
    return { applied: await context.backend().commands.applied(sender, commandIds) };
  });
}
