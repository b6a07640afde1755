/** Everything that every page is told without asking: who is signed in, how the connection is, what the shell shows. */
import type { Subscription } from '../../../src/contract/queries/queries.ts';
import type { StatusMessage } from '../../../src/contract/worker.ts';
import type { SyncService } from '../sync-service.ts';

/** Tells at once and after each change. */
export async function subscribeStatus(
  service: SyncService,
  listener: (message: StatusMessage) => void,
): Promise<Subscription> {
  const stops = await Promise.all([
    service.subscribeSession((session) => listener({ kind: 'session', session })),
    service.subscribeShell((facts) => listener({ kind: 'shell', facts })),
    service.subscribeStatus((status) => listener({ kind: 'connection', status })),
    service.subscribeFailedCanaries((canaries) => listener({ kind: 'failed-canaries', canaries })),
  ]);
  return {
    close: async () => {
      for (const stop of stops) stop();
    },
  };
}
