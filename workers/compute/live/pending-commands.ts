/**
 * The outbox of the attached store as an overlay: reads it, follows its changes, tells which rows look different.
 * It never writes the outbox. What reads commands is loaded with the first question, not with the worker.
 */
import { OUTBOX, OUTBOX_SAVING, OUTBOX_TABLE } from './outbox-names.ts';
import type { OutboxItem } from '../../../src/contract/outbox/outbox.ts';
import { readRaw } from '../../store/raw-idb.ts';
import { outboxDbName } from '../../store/store-names.ts';
import type { ComputePlatform } from '../platform.ts';
import { createStoreFollower } from '../store-follower.ts';
import type { CommandReader } from './command-reader.ts';
import type { ShownRows } from '../../../src/contract/row-index/shown-rows.ts';
import { Overlay, type Touched } from './overlay.ts';

export interface PendingCommands extends ShownRows {
  follow(storeName: string | null): void;
  /** The outbox was read, or can't be: rows need not wait for it. */
  isReady(): boolean;
}

/** Saving takes a moment; whoever began it and didn't come to its end in this time is gone. */
const SAVING_LIMIT_MS = 30_000;

interface OutboxSnapshot {
  reader: CommandReader;
  items: OutboxItem[];
}

async function readOutbox(idb: IDBFactory, storeName: string): Promise<OutboxSnapshot> {
  const [{ commandReader }, [stored = []]] = await Promise.all([
    import('./command-reader.ts'),
    readRaw(idb, outboxDbName(storeName), [{ table: OUTBOX_TABLE }]),
  ]);
  return { reader: commandReader, items: commandReader.readItems(stored) };
}

/** Starts with nothing; `onChange` names the rows that may look different, and null when it became ready. */
export function createPendingCommands(
  platform: Pick<ComputePlatform, 'idb' | 'listen' | 'later' | 'report'>,
  onChange: (touched: Touched | null) => void,
): PendingCommands {
  let reader: CommandReader | null = null;
  let overlay: Overlay | null = null;
  let isReady = false;

  const becomeReady = () => {
    if (isReady) return;
    isReady = true;
    onChange(null);
  };

  const showSaving = (place: Overlay, change: { upserts: OutboxItem[]; deletedIds: string[] }) => {
    onChange(place.applySaving(change));
    if (change.upserts.length === 0) return;
    const begun = { upserts: [], deletedIds: change.upserts.map(({ commandId }) => commandId) };
    platform.later(SAVING_LIMIT_MS, () => {
      if (place === overlay) onChange(place.applySaving(begun));
    });
  };

  const follower = createStoreFollower<OutboxSnapshot>({
    listen: platform.listen,
    later: platform.later,
    target: {
      concerns: (collection) => collection === OUTBOX || collection === OUTBOX_SAVING,
      load: (storeName) => readOutbox(platform.idb, storeName),
      onLoaded(snapshot) {
        reader = snapshot.reader;
        overlay ??= new Overlay(reader);
        onChange(overlay.replaceAll(snapshot.items));
        becomeReady();
      },
      onChange({ collection, upserts, deletedIds }) {
        if (reader === null || overlay === null) return;
        const change = { upserts: reader.readItems(upserts), deletedIds };
        if (collection === OUTBOX) onChange(overlay.apply(change));
        else showSaving(overlay, change);
      },
      onFailure(error) {
        platform.report(error);
        becomeReady();
      },
    },
  });

  return {
    follow(storeName) {
      overlay = null;
      isReady = false;
      follower.follow(storeName);
    },
    isReady: () => isReady,
    touchedIds: (collection) => overlay?.touchedIds(collection) ?? [],
    shown(row, place) {
      if (overlay !== null) return overlay.shown(row, place);
      return row === null ? null : { row, pending: 'none' };
    },
  };
}
