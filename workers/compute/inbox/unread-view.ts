/**
 * What is new for the signed-in person, as a live answer over incidents, their records, teams and people. It
 * follows the changes of the rows that are in memory anyway, and sends only what differs.
 */
import type { CollectionName, ReplicatedRow } from '../../../src/contract/collections.ts';
import type { UnreadNews } from '../../../src/domain/incident/unread.ts';
import type { EntryChange } from '../live/collection-index.ts';
import type { LiveQueries } from '../live/live-queries.ts';
import type { LiveSource } from '../live/live-query.ts';
import type { ComputePlatform } from '../platform.ts';
import { createThrottle } from '../throttle.ts';
import { UnreadIndex } from './unread-index.ts';
import type { UnreadPart } from './unread-index.ts';

/** A number on a bell is read at a glance: more often than this it would only cost. */
const REFRESH_GAP_MS = 300;
/** The first screen's rows are read first. */
const START_DELAY_MS = 500;
const PARTS: readonly [UnreadPart, CollectionName][] = [
  ['incidents', 'incidents'],
  ['records', 'incident_records'],
  ['resources', 'resources'],
];
const NOTHING: UnreadNews = { isLoaded: false, total: 0, incidents: [], news: [] };

interface UnreadView {
  platform: Pick<ComputePlatform, 'now' | 'later'>;
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

  /** Brings the index up to date. */
  take(): void {
    if (this.isTaken) return;
    this.isTaken = true;
    this.index.replace(this.part, rowsOf(this.joined.source));
  }

  leave(): void {
    this.joined.leave();
  }

  private hear(changes: readonly EntryChange[] | null): void {
    if (changes === null) this.isTaken = false;
    // What isn't taken in yet comes with all of it.
    if (changes === null || !this.isTaken) return;
    const rows = changes.map(({ before, after }) => ({
      before: before?.row ?? null,
      after: after?.row ?? null,
    }));
    this.index.apply(this.part, rows);
  }
}

function rowsOf({ index }: LiveSource): ReplicatedRow[] {
  const rows: ReplicatedRow[] = [];
  index.each(({ row }) => rows.push(row));
  return rows;
}

/** Opens it; the listener is called whenever the answer differs. Answers with how to end it. */
export function openUnread({ platform, live, nowMs, userId, listener }: UnreadView): () => void {
  let isOpen = true;
  let sent = JSON.stringify(NOTHING);
  let parts: FollowedPart[] | null = null;
  const index = new UnreadIndex(userId);
  const answer = (): UnreadNews => {
    // Half of it would be a wrong number.
    if (parts === null || !parts.every((part) => part.isLoaded())) return NOTHING;
    for (const part of parts) part.take();
    return { ...index.state(nowMs()), isLoaded: true };
  };
  const send = () => {
    if (!isOpen || parts === null) return;
    const news = answer();
    const text = JSON.stringify(news);
    if (text === sent) return;
    sent = text;
    listener(news);
  };
  const refresh = createThrottle(platform, REFRESH_GAP_MS, send);
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
