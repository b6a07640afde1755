/** Whether a store is still its user's on this device, by what every worker notes before it deletes one. */
import { sessionUserSchema } from '../../src/contract/worker.ts';
import { isMarkedForDeletion } from '../store/delete-store.ts';
import type { KeyValue } from '../store/key-value.ts';
import { IS_SIGNED_IN, USER } from './session.ts';

/** False once its user signed out or another one signed in: then nothing of it may be written again. */
export async function isStoreWanted(device: KeyValue, storeName: string): Promise<boolean> {
  const user = sessionUserSchema.safeParse(await device.get(USER));
  const isTheirs = user.success && user.data.storeName === storeName;
  if (!isTheirs || (await device.get(IS_SIGNED_IN)) !== true) return false;
  return !(await isMarkedForDeletion(device, storeName));
}
