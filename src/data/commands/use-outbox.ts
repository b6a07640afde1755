import { useSyncExternalStore } from 'react';
import type { OutboxView } from '../../contract/outbox/outbox.ts';
import { dataClient } from '../client/data-client.ts';

/** What this device still has to send, refused commands included; undefined until it was looked for. */
export function useOutbox(): OutboxView | undefined {
  const { outbox } = dataClient();
  return useSyncExternalStore(outbox.subscribe, outbox.get);
}
