/** `POST /notifications/preview`: for those who may write rules, because a template sees whole rows. Writes nothing. */
import type { FastifyInstance } from 'fastify';
import { previewSchema } from '../../../src/contract/http/notifications/rule-preview.ts';
import { healthOfEvent } from '../../../src/domain/notification/notification-rule.ts';
import { authorize } from '../../access/policies/refuse-unless.ts';
import type { RouteContext } from '../../access/request/route-context.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import { parse } from '../../platform/http/parse.ts';
import { previewRule } from './preview-rule.ts';
import { sampleOf } from './sample-query.ts';

const config = { rateLimit: { max: 120, timeWindow: '1 minute' } };

/** `/api/notifications/preview`. */
export function registerPreviewRoutes(
  app: FastifyInstance,
  context: RouteContext,
  expressions: Pick<Expressions, 'evaluate'>,
): void {
  app.post('/api/notifications/preview', { config }, async (request) => {
    authorize(await context.authenticate(request), 'notification', 'create');
    const asked = parse(previewSchema, request.body);
    // What they may not see is no sample.
    const sample = await context
      .callerDatabase(request)
      .transaction((tx) => sampleOf(tx, asked.event, healthOfEvent(asked.event)));
    return previewRule(asked, sample, { expressions, publicUrl: request.siteOrigin });
  });
}
