/**
 * What is new for one person, kept up to date change by change: where each incident stands that concerns them. What
 * concerns nobody here is looked at column by column and never built. A change costs its own incident; only another
 * membership of the person in a team costs them all. Invariant: after any sequence of changes it answers what `unreadOf`
 * answers over the rows that are there.
 */
import type { ReplicatedRow } from '../../../src/contract/collections.ts';
import { mentionedIds } from '../../../src/domain/incident/mentions.ts';
import { readStateWith, unreadIn } from '../../../src/domain/incident/unread.ts';
import type { ReadState, RecordFacts, UnreadState } from '../../../src/domain/incident/unread.ts';
import type { Slots } from '../../../src/contract/row-index/column.ts';
import type { RowTable } from '../../../src/contract/row-index/row-table.ts';
import { incidentFacts, recordFacts } from './unread-facts.ts';
import { addTo } from '../../../src/lib/group-by.ts';

/** A row before and after; null where there was or is none. */
export interface RowChange {
  before: ReplicatedRow | null;
  after: ReplicatedRow | null;
}

/** Where the rows are; another table after they were read anew. */
export interface UnreadTables {
  incidents: RowTable;
  records: RowTable;
  resources: RowTable;
}

export type UnreadPart = keyof UnreadTables;

/** Records that are news or mark something as read. */
const NEWS_KINDS: ReadonlySet<unknown> = new Set(['comment', 'responder', 'history', 'read']);
const OWN_COLUMNS = ['created_by', 'commander_id', 'communicator_id'] as const;
/** Incidents whose records are looked for at once, in a few milliseconds. */
const BATCH = 1000;

/** One for the signed-in user. */
export class UnreadIndex {
  private readonly userId: string;
  private readonly tables: () => UnreadTables;
  private readonly readStates = new Map<string, ReadState>();
  private teamIds: ReadonlySet<string> = new Set();
  private areTeamsStale = true;
  /** Incidents whose standing is to be found anew; null for all. */
  private stale: Set<string> | null = null;

  constructor(userId: string, tables: () => UnreadTables) {
    this.userId = userId;
    this.tables = tables;
  }

  /** The rows of a part have changed already; null when anything of it may have. */
  hear(part: UnreadPart, changes: Iterable<RowChange> | null): void {
    if (part === 'resources') this.areTeamsStale = true;
    else if (changes === null) this.stale = null;
    else for (const change of changes) this.touch(part, change);
  }

  /** True when nothing is left for `prepare`. */
  isUpToDate(): boolean {
    return !this.areTeamsStale && this.stale?.size === 0;
  }

  /** Finds anew what may differ, in steps; what comes meanwhile is left for the next time. */
  async prepare(pause: () => Promise<void>): Promise<void> {
    this.refreshTeams();
    this.stale ??= this.everything();
    const { stale } = this;
    while (this.stale === stale && stale.size > 0) {
      const ids = new Set([...stale].slice(0, BATCH));
      for (const id of ids) stale.delete(id);
      const records = this.recordsOf(ids);
      for (const id of ids) {
        this.refreshOne(id, records.get(id) ?? []);
        await pause();
        // All of it is found anew.
        if (this.stale !== stale) return;
      }
    }
  }

  /** What is new by now, as of the last time that it was prepared; who did it has a name where the person is known. */
  state(nowMs: number): UnreadState {
    const { resources } = this.tables();
    const nameOf = (id: string | null): string | null => {
      const slot = id === null ? undefined : resources.slotOf(id);
      if (slot === undefined || resources.valueAt(slot, 'kind') !== 'person') return null;
      const name = resources.valueAt(slot, 'name');
      return typeof name === 'string' ? name : null;
    };
    const state = unreadIn(this.readStates.values(), nowMs);
    return { ...state, news: state.news.map((one) => ({ ...one, byName: one.byName ?? nameOf(one.byId) })) };
  }

  private touch(part: UnreadPart, { before, after }: RowChange): void {
    for (const row of [before, after]) {
      const id = part === 'incidents' ? row?.id : row?.['incident_id'];
      if (typeof id === 'string') this.stale?.add(id);
    }
  }

  private refreshTeams(): void {
    if (!this.areTeamsStale) return;
    this.areTeamsStale = false;
    const { resources } = this.tables();
    const teams = resources.narrow(resources.takenSlots(), 'kind', (kind) => kind === 'team');
    const own = resources.narrow(
      teams,
      'members',
      (members) => Array.isArray(members) && members.includes(this.userId),
    );
    const teamIds = new Set(Array.from(own, (slot) => resources.idAt(slot)));
    // Who is in another team now is called by other responders.
    const isSame = teamIds.size === this.teamIds.size && [...teamIds].every((id) => this.teamIds.has(id));
    if (!isSame) this.stale = null;
    this.teamIds = teamIds;
  }

  /** Incidents that may concern the person, and those that did. */
  private everything(): Set<string> {
    const ids = new Set(this.readStates.keys());
    const { incidents, records } = this.tables();
    const isMe = (value: unknown) => value === this.userId;
    const all = incidents.takenSlots();
    for (const name of OWN_COLUMNS)
      for (const slot of incidents.narrow(all, name, isMe)) ids.add(incidents.idAt(slot));
    for (const slots of this.concerning(records)) {
      const incidentOf = records.map('incident_id', String);
      for (const slot of slots) ids.add(incidentOf(slot));
    }
    return ids;
  }

  /** Records that make their incident one of this person's. */
  private concerning(records: RowTable): Slots[] {
    const { userId, teamIds } = this;
    const taken = records.takenSlots();
    const comments = records.narrow(taken, 'kind', (kind) => kind === 'comment');
    const responders = records.narrow(taken, 'kind', (kind) => kind === 'responder');
    const isMe = (value: unknown) => value === userId;
    const mark = `(user:${userId})`;
    const mentions = (text: unknown) =>
      typeof text === 'string' && text.includes(mark) && mentionedIds(text).includes(userId);
    return [
      records.narrow(comments, 'created_by', isMe),
      records.narrow(comments, 'comment', mentions),
      records.narrow(responders, 'person_id', isMe),
      records.narrow(responders, 'team_id', (id) => typeof id === 'string' && teamIds.has(id)),
    ];
  }

  private recordsOf(ids: ReadonlySet<unknown>): Map<string, RecordFacts[]> {
    const found = new Map<string, RecordFacts[]>();
    const { records } = this.tables();
    const own = records.narrow(records.takenSlots(), 'incident_id', (id) => ids.has(id));
    for (const slot of records.narrow(own, 'kind', (kind) => NEWS_KINDS.has(kind))) {
      const facts = recordFacts((name) => records.valueAt(slot, name));
      if (facts === null) continue;
      addTo(found, facts.incident_id, facts);
    }
    return found;
  }

  private refreshOne(id: string, records: readonly RecordFacts[]): void {
    const { userId, teamIds } = this;
    const { incidents } = this.tables();
    const slot = incidents.slotOf(id);
    const state =
      slot === undefined
        ? null
        : readStateWith(
            incidentFacts((name) => incidents.valueAt(slot, name)),
            records,
            { userId, teamIds },
          );
    if (state?.isConcerned === true) this.readStates.set(id, state);
    else this.readStates.delete(id);
  }
}
