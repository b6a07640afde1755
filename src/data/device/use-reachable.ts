import { useSyncStatus } from './use-sync-status.ts';

/** True while the server can be asked: what must be done now, or not at all, is offered only then. */
export function useReachable(): boolean {
  const { connection } = useSyncStatus();
  return connection !== 'offline' && connection !== 'server-unreachable';
}
