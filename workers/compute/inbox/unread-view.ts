/**
 * What is new for the signed-in person, as a live answer over incidents, their records, teams and people. It
 * follows the changes of the rows that are in memory anyway, and sends only what differs.
 */
import type { CollectionName } from '../../../src/contract/collections.ts';
import type { UnreadNews } from '../../../src/domain/incident/unread.ts';
import type { EntryChange } from '../../../src/contract/row-index/collection-index.ts';
import type { LiveQueries } from '../live/live-queries.ts';
import { RowTable } from '../../../src/contract/row-index/row-table.ts';
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
const NO_ROWS = new RowTable();
const NOTHING: UnreadNews = { isLoaded: false, total: 0, incidents: [], news: [] };

interface UnreadView {
  platform: Pick<ComputePlatform, 'now' | 'later' | 'nextTurn' | 'report'>;
  live: Pick<LiveQueries, 'attend'>;
  nowMs: () => number;
  userId: string;
  listener: (news: UnreadNews) => void;
}

type Joined = ReturnType<LiveQueries['attend']>;

const rowsOf = ({ before, after }: EntryChange): RowChange => ({
  before: before?.row ?? null,
  after: after?.row ?? null,
});

/** Opens it; the listener is called whenever the answer differs. Answers with how to end it. */
export function openUnread({ platform, live, nowMs, userId, listener }: UnreadView): () => void {
  let isOpen = true;
  let sent = JSON.stringify(NOTHING);
  let parts: Joined[] | null = null;
  const tables = (open: readonly Joined[]) => {
    const [incidents, records, resources] = open.map(({ source }) => source.index.table);
    return { incidents: incidents ?? NO_ROWS, records: records ?? NO_ROWS, resources: resources ?? NO_ROWS };
  };
  const index = new UnreadIndex(userId, () => tables(parts ?? []));
  const answer = async (open: readonly Joined[]): Promise<UnreadNews> => {
    const { pause } = createSlices(platform);
    // Half of it would be a wrong number.
    while (open.every(({ source }) => source.isLoaded())) {
      await index.prepare(pause);
      if (index.isUpToDate()) return { ...index.state(nowMs()), isLoaded: true };
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
    parts = PARTS.map(([part, name]) =>
      live.attend(name, {
        hear: (changes) => {
          index.hear(part, changes?.map(rowsOf) ?? null);
          refresh();
        },
        refresh: () => {},
      }),
    );
    refresh();
  });
  return () => {
    isOpen = false;
    for (const part of parts ?? []) part.leave();
  };
}
