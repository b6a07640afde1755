/**
 * The outbox of the attached store as an overlay: reads it, follows its changes, tells which rows look different.
 * It never writes the outbox.
 */
import { OUTBOX, OUTBOX_SAVING, OUTBOX_TABLE } from './outbox-names.ts';
import { readRaw } from '../../store/raw-idb.ts';
import { outboxDbName } from '../../store/store-names.ts';
import type { ComputePlatform } from '../platform.ts';
import { createStoreFollower } from '../store-follower.ts';
import type { CommandReader } from './command-reader.ts';
import type { ShownRows } from '../../../src/contract/row-index/shown-rows.ts';
import type { Touched } from './overlay.ts';
import { PendingEdits, loadReader } from './pending-edits.ts';

export interface PendingCommands extends ShownRows {
  follow(storeName: string | null): void;
  /** The outbox was read, or can't be: rows need not wait for it. */
  isReady(): boolean;
}

interface OutboxSnapshot {
  /** Null where nothing is stored that it would read. */
  reader: CommandReader | null;
  stored: unknown[];
}

async function readOutbox(idb: IDBFactory, storeName: string): Promise<OutboxSnapshot> {
  const [stored = []] = await readRaw(idb, outboxDbName(storeName), [{ table: OUTBOX_TABLE }]);
  return { reader: stored.length === 0 ? null : await loadReader(), stored };
}

/** Starts with nothing; `onChange` names the rows that may look different, and null when it became ready. */
export function createPendingCommands(
  platform: Pick<ComputePlatform, 'idb' | 'listen' | 'later' | 'report'>,
  onChange: (touched: Touched | null) => void,
): PendingCommands {
  const edits = new PendingEdits(platform, onChange);
  let isReady = false;

  const becomeReady = () => {
    if (isReady) return;
    isReady = true;
    onChange(null);
  };

  const follower = createStoreFollower<OutboxSnapshot>({
    listen: platform.listen,
    later: platform.later,
    target: {
      concerns: (collection) => collection === OUTBOX || collection === OUTBOX_SAVING,
      load: (storeName) => readOutbox(platform.idb, storeName),
      onLoaded({ reader, stored }) {
        edits.replaceAll(stored, reader);
        becomeReady();
      },
      onChange: (change) => edits.apply(change),
      onFailure(error) {
        platform.report(error);
        becomeReady();
      },
    },
  });

  return {
    follow(storeName) {
      edits.clear();
      isReady = false;
      follower.follow(storeName);
    },
    isReady: () => isReady,
    touchedIds: (collection) => edits.overlay()?.touchedIds(collection) ?? [],
    shown(row, place) {
      const overlay = edits.overlay();
      if (overlay !== null) return overlay.shown(row, place);
      return row === null ? null : { row, pending: 'none' };
    },
  };
}
