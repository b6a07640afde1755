import { useSyncExternalStore } from 'react';
import type { SessionState } from '../../contract/worker.ts';
import { dataClient } from '../client/data-client.ts';

/** Who is signed in. */
export function useSession(): SessionState {
  const { session } = dataClient();
  return useSyncExternalStore(session.subscribe, session.get);
}
