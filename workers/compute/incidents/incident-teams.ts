/**
 * Who responds to an incident, kept for each that was asked for until a change touches it. Invariant: it says what a look
 * at all records and people says.
 */
import type { IncidentTeam } from '../../../src/contract/live-query.ts';
import { asText } from '../live/columns.ts';
import type { EntryChange } from '../../../src/contract/row-index/collection-index.ts';
import { compareSlots } from '../../../src/contract/row-index/row-order.ts';
import type { RowTable } from '../../../src/contract/row-index/row-table.ts';
import { groupBy } from '../../../src/lib/group-by.ts';

/** Five are shown as pictures, these on a card. */
const MOST_WHO = 20;
/** Incidents whose teams are kept. */
const MOST_KNOWN = 5000;
const IN_ORDER = [{ field: 'created_at', isDescending: false }];

/** Where the rows are; another table after they were read anew. */
export interface TeamTables {
  records: RowTable;
  resources: RowTable;
}

/** Starts with nothing known. */
export class IncidentTeams {
  private readonly tables: () => TeamTables;
  private readonly known = new Map<string, IncidentTeam>();

  constructor(tables: () => TeamTables) {
    this.tables = tables;
  }

  /** People or teams changed. */
  hearResources(): void {
    this.known.clear();
  }

  /** The records have changed already; null when any may have. True when a team may be another now. */
  hearRecords(changes: readonly EntryChange[] | null): boolean {
    if (changes === null) this.known.clear();
    const rows = (changes ?? []).flatMap(({ before, after }) => [before?.row, after?.row]);
    const responders = rows.filter((row) => row?.['kind'] === 'responder');
    for (const row of responders) this.known.delete(String(row?.['incident_id']));
    return changes === null || responders.length > 0;
  }

  /** The teams of these incidents. */
  teamsOf(ids: readonly string[]): ReadonlyMap<string, IncidentTeam> {
    const unknown = new Set(ids.filter((id) => !this.known.has(id)));
    if (unknown.size > 0) this.learn(unknown);
    return this.known;
  }

  private learn(ids: ReadonlySet<unknown>): void {
    const { records } = this.tables();
    if (this.known.size > MOST_KNOWN) this.known.clear();
    const responders = records.narrow(records.takenSlots(), 'kind', (kind) => kind === 'responder');
    const slots = records.narrow(responders, 'incident_id', (id) => ids.has(id));
    const slotsOf = groupBy(slots, (slot) => records.valueAt(slot, 'incident_id'));
    for (const id of ids) this.known.set(String(id), this.teamAt(slotsOf.get(id) ?? []));
  }

  private teamAt(slots: readonly number[]): IncidentTeam {
    const { records, resources } = this.tables();
    const inOrder = slots.toSorted((a, b) => compareSlots(records, IN_ORDER, [a, b]));
    const who = inOrder.slice(0, MOST_WHO).map((slot) => {
      const id = asText(records.valueAt(slot, 'team_id')) ?? asText(records.valueAt(slot, 'person_id'));
      const at = id === null ? undefined : resources.slotOf(id);
      const textOf = (name: string) => (at === undefined ? null : asText(resources.valueAt(at, name)));
      return { id: records.idAt(slot), name: textOf('name'), image: textOf('avatar') };
    });
    return { total: slots.length, who };
  }
}
