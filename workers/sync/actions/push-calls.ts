/** What a browser asks the server for its notifications (src/contract/push.ts). */
import { pushCallSchema, pushKeySchema, pushTestSchema, type PushCall } from '../../../src/contract/push.ts';
import type { HttpClient } from '../network/http-client.ts';

const SUBSCRIPTIONS = '/api/push/subscriptions';

/** Answers the server's key where that was asked for, `shown` or `sent` for a test, else null. */
export async function callPush(http: HttpClient, asked: PushCall): Promise<string | null> {
  const call = pushCallSchema.parse(asked);
  switch (call.do) {
    case 'key':
      return pushKeySchema.parse(await http.json({ path: '/api/push/key' })).key;
    case 'subscribe':
      await http.send({ path: SUBSCRIPTIONS, method: 'POST', body: call.subscription });
      return null;
    case 'unsubscribe':
      await http.send({ path: SUBSCRIPTIONS, method: 'DELETE', body: { endpoint: call.endpoint } });
      return null;
    case 'test': {
      const body = { endpoint: call.endpoint };
      const answer = await http.json({ path: '/api/push/test', method: 'POST', body });
      return pushTestSchema.parse(answer).isShown ? 'shown' : 'sent';
    }
    case 'receipt':
      await http.send({ path: '/api/push/receipts', method: 'POST', body: call.receipt });
      return null;
  }
}
