/** Browsers that want to be told of mentions (src/contract/push.ts): everybody for themselves. */
import type { FastifyInstance } from 'fastify';
import { pushEndpointSchema, pushReceiptSchema, pushSubscriptionSchema } from '../../../src/contract/push.ts';
import { authorize } from '../../access/policies/refuse-unless.ts';
import { parse } from '../../platform/http/parse.ts';
import type { RouteContext } from '../../access/request/route-context.ts';
import type { PushService } from './push-service.ts';

/** Each looks a name up or calls out. */
const config = { rateLimit: { max: 60, timeWindow: '1 minute' } };

/** A message says two or three things. */
const receipts = { rateLimit: { max: 300, timeWindow: '1 minute' } };

/** Notifications of this browser: the key, subscriptions, a test. */
export function registerPushRoutes(app: FastifyInstance, context: RouteContext<{ push: PushService }>): void {
  const reader = async (request: Parameters<RouteContext['authenticate']>[0]) => {
    const principal = await context.authenticate(request);
    authorize(principal, 'incident', 'read');
    return principal;
  };
  app.get('/api/push/key', async (request) => {
    await reader(request);
    return { key: await context.backend().push.publicKey() };
  });
  app.post('/api/push/subscriptions', { config }, async (request, reply) => {
    const principal = await reader(request);
    await context.backend().push.subscribe(principal, parse(pushSubscriptionSchema, request.body));
    return reply.code(201).send({});
  });
  app.delete('/api/push/subscriptions', async (request, reply) => {
    // Whatever has become of their rights: nobody keeps what they gave up.
    const principal = await context.authenticate(request);
    const { endpoint } = parse(pushEndpointSchema, request.body);
    await context.backend().push.unsubscribe(principal, endpoint);
    return reply.code(204).send();
  });
  app.post('/api/push/test', { config }, async (request) => {
    const principal = await reader(request);
    return context.backend().push.test(principal, parse(pushEndpointSchema, request.body));
  });
  app.post('/api/push/receipts', { config: receipts }, async (request, reply) => {
    // Whatever has become of their rights: what was shown was shown.
    const principal = await context.authenticate(request);
    await context.backend().push.note(principal, parse(pushReceiptSchema, request.body));
    return reply.code(204).send();
  });
}
