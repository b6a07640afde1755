/**
 * Follows a store that the sync worker writes: subscribe first, then load, then apply what came meanwhile, so
 * that no change falls between. A gap in a sender's sequence, or a sender that wrote before we listened, makes
 * it load again (a reader may see a row late, never miss one).
 */
import type { StoreChange } from '../../src/contract/worker.ts';

export interface FollowerTarget<Snapshot> {
  load(storeName: string): Promise<Snapshot>;
  onLoaded(snapshot: Snapshot): void;
  onChange(change: StoreChange): void;
  /** Collections whose changes matter here; all when not given. */
  concerns?(collection: string): boolean;
  /** Loading failed; it is tried again. */
  onFailure(error: unknown): void;
}

export interface StoreFollower {
  follow(storeName: string | null): void;
}

const RETRY_MS = 1000;

function isStoreChange(message: unknown): message is StoreChange {
  return (
    typeof message === 'object' &&
    message !== null &&
    'storeName' in message &&
    'sequence' in message &&
    typeof message.sequence === 'number' &&
    'upserts' in message &&
    Array.isArray(message.upserts)
  );
}

/** Notices that messages of a sender were missed, by their numbers. */
function createGapWatch() {
  const sequences = new Map<string, number>();
  return {
    clear: () => sequences.clear(),
    isGap({ sender, sequence }: StoreChange): boolean {
      const last = sequences.get(sender);
      sequences.set(sender, sequence);
      return last === undefined ? sequence > 1 && sequences.size > 1 : sequence !== last + 1;
    },
  };
}

/** Starts listening; nothing is read before `follow`. */
export function createStoreFollower<Snapshot>(options: {
  listen(listener: (message: unknown) => void): () => void;
  later(delayMs: number, callback: () => void): void;
  target: FollowerTarget<Snapshot>;
}): StoreFollower {
  const { target } = options;
  let following: string | null = null;
  /** Rises with each load; an answer of an older one is dropped. */
  let loadNumber = 0;
  /** Changes that came while loading; null when loaded. */
  let waiting: StoreChange[] | null = null;
  const gaps = createGapWatch();

  const load = () => {
    const storeName = following;
    if (storeName === null) return;
    loadNumber += 1;
    const number = loadNumber;
    waiting = [];
    const isCurrent = () => number === loadNumber;
    target.load(storeName).then(
      (snapshot) => {
        if (!isCurrent()) return;
        const missed = waiting ?? [];
        waiting = null;
        target.onLoaded(snapshot);
        for (const change of missed) target.onChange(change);
      },
      (error: unknown) => {
        if (!isCurrent()) return;
        target.onFailure(error);
        options.later(RETRY_MS, () => {
          if (isCurrent()) load();
        });
      },
    );
  };

  options.listen((message) => {
    if (!isStoreChange(message) || message.storeName !== following) return;
    // A gap may have held anything.
    if (gaps.isGap(message)) {
      load();
      return;
    }
    if (target.concerns?.(message.collection) === false) return;
    if (message.isReset) {
      load();
      return;
    }
    if (waiting === null) target.onChange(message);
    else waiting.push(message);
  });

  return {
    follow(storeName) {
      following = storeName;
      loadNumber += 1;
      waiting = null;
      gaps.clear();
      load();
    },
  };
}
