import { OUTBOX_SAVING } from '../../../src/contract/outbox/outbox.ts';
import type { Announce } from '../tabs/announcer.ts';
import type { Draft } from './outbox-port.ts';

/** Readers are told what is being written before the disk is waited for, and that it is not when it can't be kept. */
export async function paintedFirst<Change>(
  announce: Announce,
  drafts: readonly Draft[],
  write: () => Promise<Change>,
): Promise<Change> {
  announce(OUTBOX_SAVING, { upserts: drafts.map((draft) => ({ ...draft, order: Number.MAX_SAFE_INTEGER })) });
  try {
    return await write();
  } catch (error) {
    announce(OUTBOX_SAVING, { deletedIds: drafts.map(({ commandId }) => commandId) });
    throw error;
  }
}
