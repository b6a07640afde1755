/**
 * What is new for a person on incidents that concern them. An incident concerns who made it, leads or speaks for it,
 * helps with it (alone or with a team), wrote in it or was mentioned in it. New is what others wrote, a change of
 * its status, and being called to help, after the moment up to which the person has read.
 * Invariants: nobody's own writing is news to them; who wrote has read what came before it; what a device counts as
 * unread is exactly what the inbox lists as such.
 */
import { mentionedIds, plainMentions } from './mentions.ts';
import { groupBy } from '../../lib/group-by.ts';

/** As far as this rule looks at them; rows of the feed have it all. */
export interface IncidentFacts {
  id: string;
  /** `INC-<n>`; empty while the server hasn't given one. */
  incident_id: string;
  title: string;
  created_by: string | null;
  commander_id: string | null;
  communicator_id: string | null;
}

interface OfIncident {
  id: string;
  incident_id: string;
  created_by: string | null;
  created_at: string;
}

export type RecordFacts =
  | (OfIncident & { kind: 'comment'; comment: string; external_created_by?: string | null })
  | (OfIncident & { kind: 'responder'; person_id: string | null; team_id: string | null })
  | (OfIncident & { kind: 'history'; type: string | null; description: string | null })
  | (OfIncident & { kind: 'read'; person_id: string; read_at: string })
  | (OfIncident & { kind: 'hypothesis' | 'evidence' });

export type NewsKind = 'mention' | 'responder' | 'comment' | 'status';

/** Something that was said or done for this person to know. */
export interface News {
  id: string;
  kind: NewsKind;
  incidentId: string;
  /** `INC-<n>`; empty while there is none. */
  number: string;
  title: string;
  at: string;
  byId: string | null;
  /** Who, when it came from another system. */
  byName: string | null;
  /** Start of the comment as plain text, or the new status; empty for being called. */
  text: string;
  isUnread: boolean;
}

export interface UnreadIncident {
  id: string;
  count: number;
  /** When the newest unread came: who has seen it has read up to here. */
  newestAt: string;
}

export interface UnreadState {
  total: number;
  incidents: UnreadIncident[];
  /** Unread first, then the newest; at most `MAX_NEWS`. */
  news: News[];
}

/** As it is told to the app. */
export interface UnreadNews extends UnreadState {
  /** False until everything that counts was read. */
  isLoaded: boolean;
}

/** Whose news it is. */
interface Reader {
  userId: string;
  /** Teams that the person is a member of. */
  teamIds: ReadonlySet<string>;
}

interface UnreadQuestion extends Reader {
  incidents: Iterable<IncidentFacts>;
  records: Iterable<RecordFacts>;
  nowMs: number;
}

/** What is older counts as read: nobody works through months of an estate that they just joined. */
const UNREAD_DAYS = 30;
const MAX_NEWS = 100;
const DAY_MS = 86_400_000;
const EXCERPT_CHARS = 200;

/** Where one incident stands for one person; what is unread of it depends on the time as well. */
export interface ReadState {
  readonly facts: IncidentFacts;
  isConcerned: boolean;
  readMs: number;
  readonly news: Omit<News, 'isUnread'>[];
}

function readStateOf(facts: IncidentFacts, userId: string): ReadState {
  const own = [facts.created_by, facts.commander_id, facts.communicator_id];
  return { facts, isConcerned: own.includes(userId), readMs: Number.NEGATIVE_INFINITY, news: [] };
}

function readUpTo(standing: ReadState, at: string): void {
  standing.readMs = Math.max(standing.readMs, Date.parse(at));
}

function note(standing: ReadState, record: RecordFacts, part: Pick<News, 'kind' | 'text'>): void {
  const { facts, news } = standing;
  const byName = record.kind === 'comment' ? (record.external_created_by ?? null) : null;
  const { id, created_by: byId, created_at: at } = record;
  news.push({
    id,
    at,
    byId,
    byName,
    incidentId: facts.id,
    number: facts.incident_id,
    title: facts.title,
    ...part,
  });
}

function take(standing: ReadState, record: RecordFacts, { userId, teamIds }: Reader) {
  const isOwn = record.created_by === userId;
  switch (record.kind) {
    case 'read':
      if (record.person_id === userId) readUpTo(standing, record.read_at);
      return;
    case 'comment': {
      if (isOwn && !record.external_created_by) {
        standing.isConcerned = true;
        readUpTo(standing, record.created_at);
        return;
      }
      const isMention = mentionedIds(record.comment).includes(userId);
      standing.isConcerned ||= isMention;
      const text = plainMentions(record.comment).slice(0, EXCERPT_CHARS);
      note(standing, record, { kind: isMention ? 'mention' : 'comment', text });
      return;
    }
    case 'responder': {
      const isMe = record.person_id === userId || (record.team_id !== null && teamIds.has(record.team_id));
      if (!isMe) return;
      standing.isConcerned = true;
      if (!isOwn) note(standing, record, { kind: 'responder', text: '' });
      return;
    }
    case 'history':
      if (record.type === 'incident.status_updated' && !isOwn)
        note(standing, record, { kind: 'status', text: record.description ?? '' });
      return;
    case 'hypothesis':
    case 'evidence':
  }
}

/** One of all, with its time as a number, which comparisons would parse again and again. */
interface Told {
  one: Omit<News, 'isUnread'>;
  atMs: number;
  isUnread: boolean;
}

/** More than any time. */
const UNREAD_FIRST = 1e15;

const rankOf = ({ atMs, isUnread }: Told): number => (isUnread ? UNREAD_FIRST : 0) + atMs;

/** Unread first, then the newest: of many only those are put in order that are shown. */
function firstOf(told: readonly Told[]): News[] {
  const ranks = Float64Array.from(told, rankOf).toSorted();
  const least = ranks.at(-MAX_NEWS) ?? Number.NEGATIVE_INFINITY;
  return told
    .filter((one) => rankOf(one) >= least)
    .toSorted((a, b) => rankOf(b) - rankOf(a) || (a.one.id < b.one.id ? -1 : 1))
    .slice(0, MAX_NEWS)
    .map(({ one, isUnread }) => ({ ...one, isUnread }));
}

/** Where an incident stands, of its records in any order. */
export function readStateWith(
  facts: IncidentFacts,
  records: Iterable<RecordFacts>,
  reader: Reader,
): ReadState {
  const standing = readStateOf(facts, reader.userId);
  for (const record of records) take(standing, record, reader);
  return standing;
}

/** What is new by now, by incident and as a list. */
export function unreadIn(readStates: Iterable<ReadState>, nowMs: number): UnreadState {
  const oldestMs = nowMs - UNREAD_DAYS * DAY_MS;
  const all: Told[] = [];
  const incidents: UnreadIncident[] = [];
  for (const { facts, isConcerned, readMs, news } of readStates) {
    if (!isConcerned) continue;
    let [count, newestMs, newestAt] = [0, Number.NEGATIVE_INFINITY, ''];
    for (const one of news) {
      const atMs = Date.parse(one.at) || 0;
      const isUnread = atMs > readMs && atMs > oldestMs;
      all.push({ one, atMs, isUnread });
      if (!isUnread) continue;
      count += 1;
      if (atMs > newestMs) [newestMs, newestAt] = [atMs, one.at];
    }
    if (count > 0) incidents.push({ id: facts.id, count, newestAt });
  }
  return {
    total: incidents.reduce((sum, { count }) => sum + count, 0),
    incidents: incidents.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    news: firstOf(all),
  };
}

/** What is new for the person, by incident and as a list. */
export function unreadOf(question: UnreadQuestion): UnreadState {
  const records = groupBy(question.records, (record) => record.incident_id);
  const readStates = [...question.incidents].map((facts) =>
    readStateWith(facts, records.get(facts.id) ?? [], question),
  );
  return unreadIn(readStates, question.nowMs);
}
