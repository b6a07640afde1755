import { useSyncExternalStore } from 'react';
import { dataClient } from '../client/data-client.ts';
import type { LostCommands } from './lost-commands.ts';

/** Commands that went with a lost outbox before they were sent; null when there were none. */
export function useLostCommands(): LostCommands | null {
  const { lost } = dataClient();
  return useSyncExternalStore(lost.subscribe, lost.get);
}
