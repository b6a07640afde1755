/**
 * A query over changes, answered from the collections in memory: a change, what is known of its item,
 * and how far the item asked about reaches. Sends a page of the answer and afterwards only what differs, like any
 * live query, at most MAX_WINDOW_ROWS rows a message.
 * Invariants: `hear` is cheap; the walk along relationships is made again only when one of them changed.
 */
import type { ReplicatedRow } from '../../../src/contract/collections.ts';
import type { LivePatch, LiveRow } from '../../../src/contract/live-query.ts';
import {
  changesFilter,
  idFilter,
  itemOf,
  reachedItems,
  type ChangesQuestion,
  type Link,
  type SearchedChange,
  type SearchedItem,
} from '../../../src/domain/catalog/changes-search.ts';
import type { CollectionIndex, EntryChange } from '../../../src/contract/row-index/collection-index.ts';
import type { SlotReader } from '../../../src/contract/row-index/column.ts';
import { asPairs, asText, textIn } from '../live/columns.ts';
import type { Entry } from '../../../src/contract/row-index/entry.ts';
import type { RowTable } from '../../../src/contract/row-index/row-table.ts';
import { linkReader } from '../relations/relation-links.ts';

const ROWS_A_MESSAGE = 100;
/** A change type is a word of some scraper; a summary with more of them than this helps nobody. */
const MAX_GROUPS = 500;

export interface ChangesIndexes {
  changes: CollectionIndex;
  configs: CollectionIndex;
  /** Only asked for by a question that reaches beyond its item. */
  relationships: () => CollectionIndex;
}

interface ChangesViewParts {
  question: ChangesQuestion;
  indexes: ChangesIndexes;
  isLoaded: () => boolean;
  nowMs: () => number;
  listener: (patch: LivePatch) => void;
}

export interface ChangesView {
  setQuestion(question: ChangesQuestion): void;
  hear(collection: keyof ChangesIndexes, changes: readonly EntryChange[] | null): void;
  refresh(): void;
}

const configIdIn = (row: ReplicatedRow) => textIn(row, 'config_id') ?? '';

/** Reads a change by its slot. */
function changeReader(table: RowTable): SlotReader<SearchedChange> {
  const [type, severity, source] = [
    table.map('change_type', asText),
    table.map('severity', asText),
    table.map('source', asText),
  ];
  const [summary, createdBy, externalCreatedBy, createdAt] = [
    table.map('summary', asText),
    table.map('created_by', asText),
    table.map('external_created_by', asText),
    table.map('created_at', asText),
  ];
  const configId = table.map('config_id', asText);
  return (slot) => ({
    config_id: configId(slot) ?? '',
    change_type: type(slot),
    severity: severity(slot),
    source: source(slot),
    summary: summary(slot),
    created_by: createdBy(slot),
    external_created_by: externalCreatedBy(slot),
    created_at: createdAt(slot) ?? '',
  });
}

/** Reads an item by its id; null where it isn't known. */
function itemReader(table: RowTable): (id: string) => SearchedItem | null {
  const [type, tags, deletedAt] = [
    table.map('type', asText),
    table.map('tags', asPairs),
    table.map('deleted_at', asText),
  ];
  return (id) => {
    const slot = table.slotOf(id);
    return slot === undefined ? null : { type: type(slot), tags: tags(slot), deleted_at: deletedAt(slot) };
  };
}

function linksOf({ table }: CollectionIndex): Link[] {
  const read = linkReader(table);
  return Array.from(table.takenSlots(), read);
}

type Key = string | number | null;

function keyOf(value: unknown): Key {
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

/** Unknown values first when ascending, last when descending: as the server has it. */
function compareKeys(a: Key, b: Key): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return a < b ? -1 : 1;
}

/** A change as the table shows it: with its item's name, type and tags. */
function rowOf(entry: Entry, item: Entry | null): ReplicatedRow {
  return {
    ...entry.row,
    name: item?.row.name ?? null,
    type: item?.row.type ?? null,
    tags: item?.row.tags ?? null,
    deleted_at: item?.row.deleted_at ?? null,
  };
}

/** What of an item decides whether its changes are found, and how they look. */
function itemText(entry: Entry | null): string {
  if (entry === null) return '';
  const { name, type, tags, deleted_at: deletedAt } = entry.row;
  return JSON.stringify([name, type, tags, deletedAt]);
}

interface Found {
  total: number;
  groups: { value: string; count: number }[];
  page: Entry[];
}

interface Passing {
  id: string;
  key: Key;
}

interface FindChanges {
  question: ChangesQuestion;
  indexes: ChangesIndexes;
  isHere: (configId: string) => boolean;
  nowMs: number;
}

function findChanges({ question, indexes, isHere, nowMs }: FindChanges): Found {
  const passes = changesFilter(question, nowMs);
  const column = question.sort_by.replace(/^-/, '');
  const direction = question.sort_by.startsWith('-') ? -1 : 1;
  const [changes, configs] = [indexes.changes.table, indexes.configs.table];
  const [readChange, readItem] = [changeReader(changes), itemReader(configs)];
  const keyAt = (slot: number, configId: string) =>
    column === 'name'
      ? keyOf(configs.valueAt(configs.slotOf(configId) ?? -1, 'name'))
      : keyOf(changes.valueAt(slot, column));
  const found: Passing[] = [];
  const counts = new Map<string, number>();
  for (const slot of changes.takenSlots()) {
    const change = readChange(slot);
    if (!isHere(change.config_id) || !passes(change, readItem(change.config_id))) continue;
    found.push({ id: changes.idAt(slot), key: keyAt(slot, change.config_id) });
    const type = change.change_type ?? '';
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  found.sort((a, b) => direction * (compareKeys(a.key, b.key) || compareKeys(a.id, b.id)));
  const start = (question.page - 1) * question.page_size;
  return {
    total: found.length,
    groups: [...counts]
      .map(([value, count]) => ({ value, count }))
      .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, MAX_GROUPS),
    page: found.slice(start, start + question.page_size).flatMap(({ id }) => indexes.changes.get(id) ?? []),
  };
}

/** Remembers what was sent, and sends what differs. */
function createSender(parts: Pick<ChangesViewParts, 'indexes' | 'isLoaded' | 'listener'>) {
  const { indexes, isLoaded, listener } = parts;
  let sent = { frame: '', order: '', rows: new Map<string, string>() };
  return (
    { total, groups, page }: Found,
    { generation, isAsked }: { generation: number; isAsked: boolean },
  ) => {
    const frame = { isLoaded: isLoaded(), total, groups };
    const order = { start: 0, ids: page.map(({ row }) => row.id) };
    const rows: LiveRow[] = page.map((entry) => ({
      id: entry.row.id,
      row: rowOf(entry, indexes.configs.get(configIdIn(entry.row))),
      pending: entry.pending,
    }));
    const texts = new Map(rows.map((row) => [row.id, JSON.stringify(row)]));
    const fresh = rows.filter(({ id }) => sent.rows.get(id) !== texts.get(id));
    const [frameText, orderText] = [JSON.stringify(frame), JSON.stringify(order)];
    const isNews = frameText !== sent.frame || orderText !== sent.order || fresh.length > 0;
    sent = { frame: frameText, order: orderText, rows: texts };
    if (!isAsked && !isNews) return;
    listener({ generation, frame, order, rows: fresh.slice(0, ROWS_A_MESSAGE) });
    for (let at = ROWS_A_MESSAGE; at < fresh.length; at += ROWS_A_MESSAGE)
      listener({ generation, order, rows: fresh.slice(at, at + ROWS_A_MESSAGE) });
  };
}

/** Opens a view; the listener is called at once with the whole answer. */
export function createChangesView({ indexes, isLoaded, nowMs, ...parts }: ChangesViewParts): ChangesView {
  let { question } = parts;
  let generation = 0;
  let isDirty = false;
  let reached: ReadonlySet<string> | null = null;
  const tell = createSender({ indexes, isLoaded, listener: parts.listener });

  const whereAsked = (): ((configId: string) => boolean) => {
    const item = itemOf(question);
    if (item === null) return idFilter(question);
    const { recursive } = question;
    const linksNow = () => (recursive === 'none' ? [] : linksOf(indexes.relationships()));
    const ids = (reached ??= reachedItems(linksNow(), item, recursive));
    return (configId) => ids.has(configId);
  };
  const send = (isAsked: boolean) => {
    isDirty = false;
    const found = findChanges({ question, indexes, isHere: whereAsked(), nowMs: nowMs() });
    tell(found, { generation, isAsked });
  };
  send(true);

  return {
    setQuestion(next) {
      if (next.id !== question.id || next.recursive !== question.recursive) reached = null;
      question = next;
      generation += 1;
      send(true);
    },
    hear(collection, changes) {
      if (changes === null || collection === 'changes') isDirty = true;
      if (collection === 'relationships') {
        reached = null;
        isDirty = true;
      }
      // A scrape touches every item; few of them say anything else than before.
      if (collection === 'configs' && changes !== null)
        isDirty ||= changes.some(({ before, after }) => itemText(before) !== itemText(after));
    },
    refresh() {
      if (isDirty) send(false);
    },
  };
}
