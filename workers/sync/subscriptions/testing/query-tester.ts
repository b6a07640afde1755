/** For tests: asks a handler of a cached query without a user, a store or a network. */
import type { Answer } from '../../../../src/contract/queries/queries.ts';
import type { Cached } from '../../../../src/contract/worker.ts';
import type { CachedDocument } from '../../../store/store-facts.ts';
import { createDataApi } from '../../network/data-api.ts';
import type { HttpClient } from '../../network/http-client.ts';
import { CachedSubscriptions } from '../cached-subscriptions.ts';
import type { QueryHandler, QueryUser } from '../query-handler.ts';

type Message = Answer<Cached<unknown>>;

/** What is cached and reported can be looked at. */
export function createQueryTester({ http }: { http: HttpClient }) {
  const cached = new Map<string, CachedDocument>();
  const reported: unknown[] = [];
  const report = (error: unknown) => reported.push(error);
  const platform = { elapsed: () => 0, later: () => () => {}, report };
  const user = {
    subscriptions: new CachedSubscriptions({ platform, watchCheck: () => () => {} }),
    context: {
      http,
      api: createDataApi(http, 'http://holdfast.test'),
      documents: {
        get: async (id: string) => cached.get(id) ?? null,
        put: async (document: CachedDocument) => void cached.set(document.id, document),
      },
      statuses: { runs: async () => ({ runs: [], fromMs: null, readAtMs: null }) },
      serverNow: () => 7,
      later: () => () => {},
      asOfMs: () => null,
      report,
    },
  };
  const first = (query: QueryHandler, args: unknown): Promise<Message> =>
    new Promise((resolve) => {
      // A cached query looks at nothing else of a user.
      query.bind(args)(user as unknown as QueryUser, (message) => resolve(message as Message));
    });
  return { cached, reported, first };
}
