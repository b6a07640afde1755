/**
 * What can be silenced, as silences look at it: checks, catalog items and components of this device. Labels and what is
 * above a thing are put together as the server does it (server/notifications/rules/subject-query.ts).
 */
import type { Entry } from '../../../src/contract/health-board/check-index.ts';
import type { SilencedKind } from '../../../src/contract/queries/silence-view.ts';
import type { Check } from '../../../src/domain/check/check.ts';
import { emptyEnvironment } from '../../../src/domain/notification/environment-names.ts';
import type { Silence, SilencedResource } from '../../../src/domain/notification/silence.ts';
import { asPairs, asText } from '../live/columns.ts';
import type { RowTable } from '../../../src/contract/row-index/row-table.ts';
import { textsOf } from '../topology/component-nodes.ts';

/** Where the rows are; an empty table where a kind isn't asked about. */
export interface ThingTables {
  checks: { entries: () => readonly Entry[]; get: (id: string) => Entry | null };
  configs: RowTable;
  components: RowTable;
}

export interface Thing {
  resource: SilencedResource;
  /** What expressions see of it. */
  environment: () => Record<string, unknown>;
}

const partsOf = (path: unknown): string[] => (typeof path === 'string' && path !== '' ? path.split('.') : []);

/** By check, the items and components that it belongs to and what is above them. */
function aboveChecks({ configs, components }: ThingTables): Map<string, string[]> {
  const above = new Map<string, string[]>();
  for (const table of [configs, components]) {
    const isDeleted = table.map('deleted_at', (value) => typeof value === 'string');
    const checkIds = table.map('check_ids', textsOf);
    for (const slot of table.takenSlots()) {
      const own = checkIds(slot);
      if (own.length === 0 || isDeleted(slot)) continue;
      const path = [...partsOf(table.valueAt(slot, 'path')), table.idAt(slot)];
      for (const checkId of own) above.set(checkId, [...(above.get(checkId) ?? []), ...path]);
    }
  }
  return above;
}

/** Reads things out of tables; what is above checks is put together once. */
export class Things {
  private readonly tables: ThingTables;
  private readonly checksAbove: Map<string, string[]>;

  constructor(tables: ThingTables) {
    this.tables = tables;
    this.checksAbove = aboveChecks(tables);
  }

  /** Null when this device doesn't have it. */
  get(kind: SilencedKind, id: string): Thing | null {
    if (kind === 'check') {
      const entry = this.tables.checks.get(id);
      return entry === null ? null : this.ofCheck(entry.check);
    }
    const table = this.tableOf(kind);
    const slot = table.slotOf(id);
    return slot === undefined ? null : this.ofRow(kind, table, slot);
  }

  /** All of a kind. */
  *all(kind: SilencedKind): Generator<Thing> {
    if (kind === 'check') {
      for (const { check } of this.tables.checks.entries()) yield this.ofCheck(check);
      return;
    }
    const table = this.tableOf(kind);
    const isDeleted = table.map('deleted_at', (value) => typeof value === 'string');
    for (const slot of table.takenSlots()) if (!isDeleted(slot)) yield this.ofRow(kind, table, slot);
  }

  private tableOf(kind: 'config' | 'component'): RowTable {
    return kind === 'config' ? this.tables.configs : this.tables.components;
  }

  private ofCheck(check: Check): Thing {
    const canary = {
      id: check.canary_id,
      name: check.canary_name,
      namespace: check.canary_namespace,
      labels: check.labels,
      agent_id: check.agent_id,
    };
    return {
      resource: {
        kind: 'check',
        id: check.id,
        canaryId: check.canary_id,
        above: this.checksAbove.get(check.id) ?? [],
        labels: check.labels,
      },
      environment: () => ({
        ...emptyEnvironment(),
        check,
        canary,
        agent: { id: check.agent_id, name: check.agent_name },
      }),
    };
  }

  private ofRow(kind: 'config' | 'component', table: RowTable, slot: number): Thing {
    const value = (column: string) => table.valueAt(slot, column);
    return {
      resource: {
        kind,
        id: asText(value('id')) ?? table.idAt(slot),
        canaryId: null,
        above: partsOf(value('path')),
        labels: { ...asPairs(value('tags')), ...asPairs(value('labels')) },
      },
      environment: () => ({ ...emptyEnvironment(), [kind]: table.rowAt(slot) }),
    };
  }
}

const isGiven = (text: string | null) => (text ?? '').trim() !== '';

/** The kinds of which a silence may cover anything. */
export function kindsOf(silence: Silence): readonly SilencedKind[] {
  const { configId, componentId, checkId, canaryId, isRecursive } = silence;
  const kinds = new Set<SilencedKind>();
  if (configId !== null) kinds.add('config');
  if (componentId !== null) kinds.add('component');
  if (checkId !== null || canaryId !== null) kinds.add('check');
  if ((componentId !== null || configId !== null) && isRecursive) kinds.add('check');
  if (kinds.size > 0) return [...kinds];
  return isGiven(silence.selector) || isGiven(silence.filter) ? ['check', 'config', 'component'] : [];
}
