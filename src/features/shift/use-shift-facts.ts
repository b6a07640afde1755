/** What this device knows of a shift: what is open, what changed in it, what its person silenced. */
import { useEffect, useMemo } from 'react';
import type { LiveQuestion } from '../../contract/live-query.ts';
import type { HealthQuery } from '../../contract/worker.ts';
import { nowOnServer } from '../../data/commands/commands.ts';
import { useSyncStatus } from '../../data/device/use-sync-status.ts';
import { useHealthView } from '../../data/queries/health/use-health-view.ts';
import { useLiveQuery } from '../../data/queries/use-live-query.ts';
import { ALL_TAB, DEFAULT_TAB_BY } from '../../domain/check/grouping.ts';
import {
  isInShift,
  noteText,
  sinceOf,
  type ShiftPart,
  type ShiftThing,
} from '../../domain/shift/shift-note.ts';
import { formatClock } from '../../domain/time/format.ts';
import { messages } from './messages.ts';

const words = messages.parts;
/** A window of the worker. */
const MOST = 100;
const OPEN = ['new', 'open', 'investigating', 'mitigated'];

const checksBy = (sortBy: HealthQuery['sortBy'], hidePassing: boolean): HealthQuery => ({
  hidePassing,
  query: '',
  labels: {},
  groupBy: 'none',
  tabBy: DEFAULT_TAB_BY,
  tab: ALL_TAB,
  pivotBy: null,
  sortBy,
  sortDesc: true,
  timeRange: '1h',
  expanded: [],
});
const WORST_FIRST = checksBy('health', true);
const LAST_TURNED_FIRST = checksBy('transition', false);

function useChecks(query: HealthQuery) {
  const { frame, getRow, setVisibleRange } = useHealthView(query);
  const shown = Math.min(frame.rowCount, MOST);
  useEffect(() => setVisibleRange(0, shown), [setVisibleRange, shown]);
  const rows = Array.from({ length: shown }, (_, at) => getRow(at));
  const checks = rows.flatMap((row) => (row?.kind === 'check' ? [row] : []));
  return { checks, frame, isThere: frame.isLoaded && rows.every((row) => row !== null) };
}

const question = <Collection extends LiveQuestion['collection']>(
  collection: Collection,
  where: LiveQuestion['where'],
  field: string,
) => ({
  collection,
  where,
  search: '',
  sort: [{ field, isDescending: true }],
  groupBy: null,
  window: { start: 0, end: MOST },
});

const OPEN_INCIDENTS = question('incidents', [{ field: 'status', op: 'in', values: OPEN }], 'created_at');

/** Rows that changed in the shift by this column: the newest, and how many there are. */
function useChangedRows<Collection extends 'checks' | 'incidents'>(
  collection: Collection,
  column: string,
  fromMs: number,
) {
  return useLiveQuery(
    useMemo(
      () => question(collection, [{ field: column, op: 'gte', value: sinceOf(fromMs) }], column),
      [collection, column, fromMs],
    ),
  );
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

/** Names of the things with these ids, as far as they are here. */
function useNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const where = useMemo(() => [{ field: 'id', op: 'in' as const, values: [...ids] }], [ids]);
  const checks = useLiveQuery(useMemo(() => question('checks', where, 'id'), [where]));
  const incidents = useLiveQuery(useMemo(() => question('incidents', where, 'id'), [where]));
  const configs = useLiveQuery(useMemo(() => question('configs', where, 'id'), [where]));
  const components = useLiveQuery(useMemo(() => question('components', where, 'id'), [where]));
  return new Map([
    ...checks.rows.map(({ id, row }): [string, string] => [id, row.name]),
    ...incidents.rows.map(({ id, row }): [string, string] => [id, row.title]),
    ...configs.rows.map(({ id, row }): [string, string] => [id, row.name ?? '']),
    ...components.rows.map(({ id, row }): [string, string] => [id, row.name ?? '']),
  ]);
}

const KINDS = ['silence', 'acknowledgement'];

/** Names of the things whose ids these are, joined by commas. */
function useNamesOf(key: string) {
  const ids = useMemo(() => (key === '' ? [] : key.split(',')), [key]);
  return useNames(ids);
}

function useSilenced(userId: string, fromMs: number) {
  const mine = useLiveQuery(
    useMemo(
      () =>
        question(
          'resources',
          [
            { field: 'kind', op: 'in', values: KINDS },
            { field: 'created_by', op: 'eq', value: userId },
          ],
          'created_at',
        ),
      [userId],
    ),
  );
  const nowMs = nowOnServer();
  const found = mine.rows
    .map(({ row }) => ({
      at: textOf(row['created_at']),
      until: textOf(row['until']),
      about: ['resource_id', 'check_id', 'config_id', 'component_id', 'canary_id'].flatMap(
        (column) => textOf(row[column]) ?? [],
      ),
      text: textOf(row['description']) ?? textOf(row['selector']) ?? textOf(row['filter']),
    }))
    // What was silenced before and still is concerns the next shift as well.
    .filter(({ at, until }) => isInShift(at, fromMs) || (until !== null && Date.parse(until) > nowMs));
  const key = found.flatMap(({ about }) => about).join();
  const names = useNamesOf(key);
  const things = found.map(({ at, until, about, text }): ShiftThing => ({
    name: about.map((id) => names.get(id)).find((name) => name !== undefined) ?? text ?? messages.something,
    at,
    says: until === null ? messages.acknowledged : messages.until(formatClock(Date.parse(until), nowMs)),
  }));
  return { things, isAtLeast: mine.total > mine.rows.length, isThere: mine.isLoaded };
}

function useIncidents(fromMs: number) {
  const open = useLiveQuery(OPEN_INCIDENTS);
  const changed = useChangedRows('incidents', 'updated_at', fromMs);
  const thing = ({ row }: (typeof open.rows)[number], at: string | null): ShiftThing => ({
    name: `${row.incident_id} ${row.title}`.trim(),
    at,
    says: messages.incidentIs(row.severity, row.status),
  });
  return {
    open: open.rows.map((row) => thing(row, row.row.created_at)),
    total: open.total,
    changed: changed.rows.map((row) => thing(row, row.row.updated_at)),
    changes: changed.total,
    isThere: open.isLoaded && changed.isLoaded,
  };
}

/** The note as this device would write it; null until everything that it is made of was read. */
export function useShiftText(userId: string, fromMs: number): string | null {
  const open = useChecks(WORST_FIRST);
  const turned = useChecks(LAST_TURNED_FIRST);
  const turns = useChangedRows('checks', 'last_transition_time', fromMs);
  const incidents = useIncidents(fromMs);
  const silenced = useSilenced(userId, fromMs);
  const { firstLoad } = useSyncStatus();
  const parts = [open, turned, incidents, silenced];
  if (firstLoad !== null || !turns.isLoaded || parts.some(({ isThere }) => !isThere)) return null;
  const says = ({ check, health }: (typeof open.checks)[number]): ShiftThing => ({
    name: check.name,
    at: check.last_transition_time,
    says: messages.health[health.state],
  });
  const changed = [
    ...turned.checks.filter(({ check }) => isInShift(check.last_transition_time, fromMs)).map(says),
    ...incidents.changed,
  ];
  const unhealthy = open.checks
    .filter(({ health }) => health.state === 'unhealthy')
    .map((row) => ({
      ...says(row),
      says: '',
    }));
  const sections: ShiftPart[] = [
    { title: words.checks, none: words.noChecks, things: unhealthy, total: open.frame.counts.unhealthy },
    { title: words.incidents, none: words.noIncidents, things: incidents.open, total: incidents.total },
    {
      title: words.changed,
      none: words.noChanges,
      things: changed,
      total: turns.total + incidents.changes,
    },
    {
      title: words.silenced,
      none: words.noSilenced,
      things: silenced.things,
      total: silenced.things.length,
      isAtLeast: silenced.isAtLeast,
    },
  ];
  const nowMs = nowOnServer();
  return noteText(sections, {
    time: (at) => formatClock(Date.parse(at), nowMs),
    more: messages.more,
    moreAtLeast: messages.moreAtLeast,
  });
}
