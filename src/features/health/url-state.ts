/**
 * The health page's state as its query string (spec 1 §2, contract §19.2). Invariants: what is parsed and
 * written again is the same; an invalid or unknown value is as good as absent; a link says nothing about what
 * it leaves out, so that the reader's own settings apply.
 */
import type { PivotCell, SortColumn } from '../../contract/worker.ts';
import type { GroupBy, TabBy } from '../../domain/check/grouping.ts';
import { isGroupBy, isTabBy } from '../../domain/check/grouping.ts';
import type { LabelFilter, TriState } from '../../domain/check/label-filter.ts';
import { parseLabelEntry } from '../../domain/check/label-filter.ts';
import type { TimeRange } from '../../domain/time/ranges.ts';
import { isTimeRange } from '../../domain/time/ranges.ts';

export type Layout = 'table' | 'card';
/** Columns by a fixed field, or by the label that `pivotLabel` names. */
export type PivotBy = 'none' | 'namespace' | 'agent' | 'type' | 'labels';

export interface HealthUrlState {
  layout: Layout;
  timeRange: TimeRange;
  checkId: string;
  labels: LabelFilter;
  query: string;
  pivotBy: PivotBy;
  pivotLabel: string;
  pivotCellType: PivotCell;
  sortBy: SortColumn;
  sortDesc: boolean;
  groupBy: GroupBy;
  tabBy: TabBy;
  tab: string;
  hidePassing: boolean;
}
/** Only what the link says. */
export type PartialHealthState = Partial<HealthUrlState>;
/** What the router holds: one text a name. */
export type HealthSearch = { [Name in keyof HealthUrlState]?: string };

const MAX_TEXT = 1000;

const LAYOUTS: Record<Layout, true> = { table: true, card: true };
const PIVOTS: Record<PivotBy, true> = { none: true, namespace: true, agent: true, type: true, labels: true };
const CELLS: Record<PivotCell, true> = { checkStatus: true, uptime: true, latency: true };
const SORTS: Record<SortColumn, true> = {
  name: true,
  health: true,
  uptime: true,
  latency: true,
  transition: true,
};

interface Codec<Value> {
  parse(text: string): Value | undefined;
  write(value: Value): string;
}

function oneOf<Value extends string>(known: Record<Value, true>): Codec<Value> {
  const isKnown = (text: string): text is Value => Object.hasOwn(known, text);
  return { parse: (text) => (isKnown(text) ? text : undefined), write: (value) => value };
}

function guarded<Value extends string>(isValue: (text: string) => text is Value): Codec<Value> {
  return { parse: (text) => (isValue(text) ? text : undefined), write: (value) => value };
}

const isText = (text: string): text is string => text !== '' && text.length <= MAX_TEXT;
const FLAGS: Readonly<Record<string, boolean>> = { true: true, false: false };
const flag: Codec<boolean> = { parse: (text) => FLAGS[text], write: String };

function parseLabels(text: string): LabelFilter | undefined {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    // A cut or hand-written link: as good as no filter.
    return undefined;
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return undefined;
  const labels: Record<string, TriState> = {};
  for (const [entry, sign] of Object.entries(found)) {
    if ((sign === 1 || sign === -1) && parseLabelEntry(entry) !== null) labels[entry] = sign;
  }
  return Object.keys(labels).length === 0 ? undefined : labels;
}

const CODECS: { [Name in keyof HealthUrlState]: Codec<HealthUrlState[Name]> } = {
  layout: oneOf(LAYOUTS),
  timeRange: guarded(isTimeRange),
  checkId: guarded(isText),
  labels: { parse: parseLabels, write: (labels) => JSON.stringify(labels) },
  query: guarded(isText),
  pivotBy: oneOf(PIVOTS),
  pivotLabel: guarded(isText),
  pivotCellType: oneOf(CELLS),
  sortBy: oneOf(SORTS),
  sortDesc: flag,
  groupBy: guarded(isGroupBy),
  tabBy: guarded(isTabBy),
  tab: guarded(isText),
  hidePassing: flag,
};
const isName = (name: string): name is keyof HealthUrlState => Object.hasOwn(CODECS, name);
const NAMES = Object.keys(CODECS).filter(isName);

function parseOne<Name extends keyof HealthUrlState>(
  out: PartialHealthState,
  name: Name,
  text: unknown,
): void {
  if (typeof text !== 'string') return;
  const value = CODECS[name].parse(text);
  if (value !== undefined) out[name] = value;
}

function writeOne<Name extends keyof HealthUrlState>(
  out: HealthSearch,
  name: Name,
  state: PartialHealthState,
): void {
  const value: HealthUrlState[Name] | undefined = state[name];
  if (value !== undefined) out[name] = CODECS[name].write(value);
}

/** What a query string says; names and values it doesn't know are left out. */
export function parseHealthSearch(search: Readonly<Record<string, unknown>>): PartialHealthState {
  const out: PartialHealthState = {};
  for (const name of NAMES) parseOne(out, name, search[name]);
  return out;
}

/** The query string of a state, in a fixed order. */
export function writeHealthSearch(state: PartialHealthState): HealthSearch {
  const out: HealthSearch = {};
  for (const name of NAMES) writeOne(out, name, state);
  return out;
}
