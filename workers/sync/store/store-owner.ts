/** Whether a store is still its user's on this device, by what every worker notes before it deletes one. */
import { sessionUserSchema } from '../../../src/contract/session-user.ts';
import { deletionOf } from '../../store/delete-store.ts';
import type { KeyValue } from '../../store/key-value.ts';
import { IS_SIGNED_IN, USER } from '../session/session.ts';

async function isSignedInThere(device: KeyValue, storeName: string): Promise<boolean> {
  const user = sessionUserSchema.safeParse(await device.get(USER));
  const isTheirs = user.success && user.data.storeName === storeName;
  return isTheirs && (await device.get(IS_SIGNED_IN)) === true;
}

/** False once its user signed out or another one signed in: then nothing of it may be written again. */
export async function isStoreWanted(device: KeyValue, storeName: string): Promise<boolean> {
  return (await isSignedInThere(device, storeName)) && (await deletionOf(device, storeName)) === null;
}

/** The same for who builds it anew: another worker may have begun to, and have ended or been suspended before it was done. */
export async function isStoreToRebuild(device: KeyValue, storeName: string): Promise<boolean> {
  return (await isSignedInThere(device, storeName)) && (await deletionOf(device, storeName)) !== 'for-good';
}
