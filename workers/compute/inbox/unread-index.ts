/**
 * What is new for one person, kept up to date change by change: records by incident, and where each incident stands.
 * A change costs its own incident; only another membership of the person in a team costs them all. Invariant: after
 * any sequence of changes it answers what `unreadOf` answers over the rows that are there.
 */
import type { ReplicatedRow } from '../../../src/contract/collections.ts';
import { readStateWith, unreadIn } from '../../../src/domain/incident/unread.ts';
import type {
  IncidentFacts,
  RecordFacts,
  ReadState,
  UnreadState,
} from '../../../src/domain/incident/unread.ts';
import { incidentFacts, recordFacts } from './unread-facts.ts';

/** A row before and after; null where there was or is none. */
export interface RowChange {
  before: ReplicatedRow | null;
  after: ReplicatedRow | null;
}

export type UnreadPart = 'incidents' | 'records' | 'resources';

const NO_RECORDS: ReadonlyMap<string, RecordFacts> = new Map();

/** One for the signed-in user. */
export class UnreadIndex {
  private readonly userId: string;
  private readonly incidents = new Map<string, IncidentFacts>();
  private readonly records = new Map<string, Map<string, RecordFacts>>();
  private readonly readStates = new Map<string, ReadState>();
  private readonly teamIds = new Set<string>();
  private readonly names = new Map<string, string>();
  /** Incidents whose standing is to be found anew; null for all. */
  private stale: Set<string> | null = null;

  constructor(userId: string) {
    this.userId = userId;
  }

  /** Forgets everything of a part. */
  clear(part: UnreadPart): void {
    if (part === 'incidents') this.incidents.clear();
    if (part === 'records') this.records.clear();
    if (part === 'resources') {
      this.teamIds.clear();
      this.names.clear();
    }
    this.stale = null;
  }

  /** Takes what was read anew in the place of everything of a part. */
  replace(part: UnreadPart, rows: Iterable<ReplicatedRow>): void {
    this.clear(part);
    for (const row of rows) this.apply(part, [{ before: null, after: row }]);
  }

  apply(part: UnreadPart, changes: Iterable<RowChange>): void {
    for (const change of changes) {
      if (part === 'incidents') this.applyIncident(change);
      if (part === 'records') this.applyRecord(change);
      if (part === 'resources') this.applyResource(change);
    }
  }

  /** What is new by now; who did it has a name where the person is known. */
  state(nowMs: number): UnreadState {
    this.refresh();
    const state = unreadIn(this.readStates.values(), nowMs);
    const nameOf = (id: string | null) => (id === null ? null : (this.names.get(id) ?? null));
    return { ...state, news: state.news.map((one) => ({ ...one, byName: one.byName ?? nameOf(one.byId) })) };
  }

  private applyIncident({ before, after }: RowChange): void {
    if (before !== null) this.incidents.delete(before.id);
    if (after !== null) this.incidents.set(after.id, incidentFacts(after));
    this.touch(after?.id ?? before?.id);
  }

  private applyRecord({ before, after }: RowChange): void {
    const [gone, come] = [before, after].map((row) => (row === null ? null : recordFacts(row)));
    if (gone) {
      const left = this.records.get(gone.incident_id);
      left?.delete(gone.id);
      if (left?.size === 0) this.records.delete(gone.incident_id);
      this.touch(gone.incident_id);
    }
    if (!come) return;
    const others = this.records.get(come.incident_id) ?? new Map<string, RecordFacts>();
    this.records.set(come.incident_id, others.set(come.id, come));
    this.touch(come.incident_id);
  }

  private applyResource({ before, after }: RowChange): void {
    const wasIn = before !== null && this.teamIds.delete(before.id);
    if (before !== null) this.names.delete(before.id);
    if (after?.['kind'] === 'person' && typeof after['name'] === 'string')
      this.names.set(after.id, after['name']);
    const members = after?.['kind'] === 'team' ? after['members'] : null;
    const isIn = after !== null && Array.isArray(members) && members.includes(this.userId);
    if (isIn) this.teamIds.add(after.id);
    // Who is in another team now is called by other responders.
    if (wasIn !== isIn) this.stale = null;
  }

  private touch(incidentId: string | undefined): void {
    if (incidentId !== undefined) this.stale?.add(incidentId);
  }

  /** Works out in steps what `state` would have to work out at once. */
  async prepare(pause: () => Promise<void>): Promise<void> {
    for (const id of this.staleNow()) {
      this.refreshOne(id);
      await pause();
    }
  }

  private refresh(): void {
    for (const id of this.staleNow()) this.refreshOne(id);
  }

  /** What is noted while it is gone through comes at its end. */
  private staleNow(): ReadonlySet<string> {
    this.stale ??= new Set([...this.readStates.keys(), ...this.incidents.keys()]);
    return this.stale;
  }

  private refreshOne(id: string): void {
    const { userId, teamIds } = this;
    const facts = this.incidents.get(id);
    const records = (this.records.get(id) ?? NO_RECORDS).values();
    if (facts === undefined) this.readStates.delete(id);
    else this.readStates.set(id, readStateWith(facts, records, { userId, teamIds }));
    this.stale?.delete(id);
  }
}
