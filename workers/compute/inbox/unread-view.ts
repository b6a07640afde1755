/**
 * What is new for the signed-in person, as a live answer over incidents, their records, teams and people. It
 * follows the changes of the rows that are in memory anyway, and sends only what differs.
 */
import type { CollectionName } from '../../../src/contract/collections.ts';
import type { UnreadNews } from '../../../src/domain/incident/unread.ts';
import type { EntryChange } from '../live/collection-index.ts';
import type { LiveQueries } from '../live/live-queries.ts';
import { asText } from '../live/columns.ts';
import type { ComputePlatform } from '../platform.ts';
import { createSlices } from '../slices.ts';
import { createThrottle } from '../throttle.ts';
import { UnreadIndex } from './unread-index.ts';
import type { RowChange, UnreadPart } from './unread-index.ts';

/** A number on a bell is read at a glance: more often than this it would only cost. */
const REFRESH_GAP_MS = 300;
/** The first screen's rows are read first. */
const START_DELAY_MS = 500;
const PARTS: readonly [UnreadPart, CollectionName][] = [
  ['incidents', 'incidents'],
  ['records', 'incident_records'],
  ['resources', 'resources'],
];
/** Records that are news or mark something as read. */
const NEWS_KINDS: ReadonlySet<string | null> = new Set(['comment', 'responder', 'history', 'read']);
const NOTHING: UnreadNews = { isLoaded: false, total: 0, incidents: [], news: [] };

interface UnreadView {
  platform: Pick<ComputePlatform, 'now' | 'later' | 'nextTurn' | 'report'>;
  live: Pick<LiveQueries, 'attend'>;
  nowMs: () => number;
  userId: string;
  listener: (news: UnreadNews) => void;
}

/** One collection that is followed; what it has is taken in whole once it is there, then by its changes. */
class FollowedPart {
  private readonly part: UnreadPart;
  private readonly index: UnreadIndex;
  private readonly joined: ReturnType<LiveQueries['attend']>;
  private isTaken = false;
  /** Changes that came while it is taken in; null when it isn't. */
  private missed: RowChange[] | null = null;

  constructor(
    { part, index }: { part: UnreadPart; index: UnreadIndex },
    attend: (hear: (changes: readonly EntryChange[] | null) => void) => ReturnType<LiveQueries['attend']>,
  ) {
    this.part = part;
    this.index = index;
    this.joined = attend((changes) => this.hear(changes));
  }

  isLoaded(): boolean {
    return this.joined.source.isLoaded();
  }

  /** Everything that is there is in the index. */
  isUpToDate(): boolean {
    return this.isTaken && this.missed === null;
  }

  /** Brings the index up to date, in steps. */
  async take(pause: () => Promise<void>): Promise<void> {
    if (this.isUpToDate()) return;
    const { part, index } = this;
    const missed: RowChange[] = [];
    this.isTaken = true;
    this.missed = missed;
    index.clear(part);
    const { table } = this.joined.source.index;
    const kindOf = table.map('kind', asText);
    for (const slot of table.takenSlots()) {
      await pause();
      // All of it came anew meanwhile.
      if (this.missed !== missed) return;
      if (part === 'records' && !NEWS_KINDS.has(kindOf(slot))) continue;
      const after = table.rowAt(slot);
      if (after !== null) index.apply(part, [{ before: null, after }]);
    }
    // A row that changed meanwhile was taken before or after: what it is now counts either way.
    index.apply(part, missed);
    this.missed = null;
  }

  leave(): void {
    this.joined.leave();
  }

  private hear(changes: readonly EntryChange[] | null): void {
    if (changes === null) {
      this.isTaken = false;
      this.missed = null;
    }
    // What isn't taken in yet comes with all of it.
    if (changes === null || !this.isTaken) return;
    const rows = changes.map(({ before, after }) => ({
      before: before?.row ?? null,
      after: after?.row ?? null,
    }));
    if (this.missed === null) this.index.apply(this.part, rows);
    else this.missed.push(...rows);
  }
}

/** Opens it; the listener is called whenever the answer differs. Answers with how to end it. */
export function openUnread({ platform, live, nowMs, userId, listener }: UnreadView): () => void {
  let isOpen = true;
  let sent = JSON.stringify(NOTHING);
  let parts: FollowedPart[] | null = null;
  const index = new UnreadIndex(userId);
  const answer = async (open: readonly FollowedPart[]): Promise<UnreadNews> => {
    const { pause } = createSlices(platform);
    // Half of it would be a wrong number.
    while (open.every((part) => part.isLoaded())) {
      for (const part of open) await part.take(pause);
      await index.prepare(pause);
      if (open.every((part) => part.isUpToDate())) return { ...index.state(nowMs()), isLoaded: true };
    }
    return NOTHING;
  };
  let [isWorking, isDue] = [false, false];
  const send = async () => {
    isDue = true;
    if (isWorking) return;
    isWorking = true;
    while (isDue && isOpen && parts !== null) {
      isDue = false;
      const news = await answer(parts);
      const text = JSON.stringify(news);
      if (!isOpen || text === sent) continue;
      sent = text;
      listener(news);
    }
    isWorking = false;
  };
  const refresh = createThrottle(platform, REFRESH_GAP_MS, () => {
    send().catch((error: unknown) => {
      isWorking = false;
      platform.report(error);
    });
  });
  platform.later(START_DELAY_MS, () => {
    if (!isOpen) return;
    parts = PARTS.map(
      ([part, name]) =>
        new FollowedPart({ part, index }, (hear) =>
          live.attend(name, {
            hear: (changes) => {
              hear(changes);
              refresh();
            },
            refresh: () => {},
          }),
        ),
    );
    refresh();
  });
  return () => {
    isOpen = false;
    for (const part of parts ?? []) part.leave();
  };
}
