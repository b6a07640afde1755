/**
 * The relations between config items of this device, held as numbers: 300,000 of them take a few megabytes.
 * It owns which number stands for which id. It knows no store and no rules.
 * Invariants: an id's number never changes; a row put twice is one link; a removed row is never walked.
 */
import type { ReplicatedRow } from '../../../src/contract/collections.ts';
import type { SlotReader } from '../../../src/contract/row-index/column.ts';
import { asText, textIn } from '../live/columns.ts';
import type { RowTable } from '../../../src/contract/row-index/row-table.ts';

/** A row of `config_relationships` as the feed has it; its id is `related:config:relation`. */
export interface LinkRow {
  config_id: string;
  related_id: string;
  relation: string;
}

/** The link that a row stands for. */
export function linkIn(row: ReplicatedRow): LinkRow {
  return {
    config_id: textIn(row, 'config_id') ?? '',
    related_id: textIn(row, 'related_id') ?? '',
    relation: textIn(row, 'relation') ?? '',
  };
}

/** The same of a table's slots. */
export function linkReader(table: RowTable): SlotReader<LinkRow> {
  const [configId, relatedId] = [table.map('config_id', asText), table.map('related_id', asText)];
  const relation = table.map('relation', asText);
  return (slot) => ({
    config_id: configId(slot) ?? '',
    related_id: relatedId(slot) ?? '',
    relation: relation(slot) ?? '',
  });
}

/** Newer links are found by looking at each; beyond so many the lookup is built anew. */
const MAX_TAIL = 2048;
const FIRST_ROOM = 1024;
export const HARD = 'hard';

/** Links by one of their ends: those of `n` are `links[starts[n]] … links[starts[n + 1]]`. */
interface ByEnd {
  starts: Int32Array;
  links: Int32Array;
}

function byEnd(ends: Int32Array, linkCount: number, idCount: number): ByEnd {
  const starts = new Int32Array(idCount + 1);
  for (let link = 0; link < linkCount; link += 1) {
    const next = (ends[link] ?? 0) + 1;
    starts[next] = (starts[next] ?? 0) + 1;
  }
  for (let id = 0; id < idCount; id += 1) starts[id + 1] = (starts[id + 1] ?? 0) + (starts[id] ?? 0);
  const filled = starts.slice();
  const links = new Int32Array(linkCount);
  for (let link = 0; link < linkCount; link += 1) {
    const end = ends[link] ?? 0;
    const at = filled[end] ?? 0;
    links[at] = link;
    filled[end] = at + 1;
  }
  return { starts, links };
}

function roomier(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(Math.max(FIRST_ROOM, numbers.length * 2));
  grown.set(numbers);
  return grown;
}

/** One for a relations model. */
export class RelationLinks {
  private readonly numbers = new Map<string, number>();
  private readonly ids: string[] = [];
  private readonly relations = new Map<string, number>([[HARD, 0]]);
  private parents = new Int32Array(FIRST_ROOM);
  private children = new Int32Array(FIRST_ROOM);
  /** Which relation, by number; -1 for a link that was removed. */
  private kinds = new Int32Array(FIRST_ROOM);
  private used = 0;
  private removed = 0;
  private built = 0;
  private outgoing: ByEnd = { starts: new Int32Array(1), links: new Int32Array(0) };
  private incoming: ByEnd = this.outgoing;

  get size(): number {
    return this.used - this.removed;
  }

  /** The id's number, given now where it has none. */
  numberOf(id: string): number {
    const known = this.numbers.get(id);
    if (known !== undefined) return known;
    const number = this.ids.push(id) - 1;
    this.numbers.set(id, number);
    return number;
  }

  idOf(number: number): string {
    return this.ids[number] ?? '';
  }

  /** Adds rows that are known to be new: a first load. */
  fill(rows: readonly LinkRow[]): void {
    for (const row of rows)
      this.append(this.numberOf(row.config_id), this.numberOf(row.related_id), row.relation);
  }

  put(row: LinkRow): void {
    const [parent, child] = [this.numberOf(row.config_id), this.numberOf(row.related_id)];
    if (this.find(parent, child, row.relation).length === 0) this.append(parent, child, row.relation);
  }

  /** Removes a row by its id. */
  remove(rowId: string): void {
    const [related = '', config = '', ...relation] = rowId.split(':');
    const [parent, child] = [this.numbers.get(config), this.numbers.get(related)];
    if (parent === undefined || child === undefined) return;
    for (const link of this.find(parent, child, relation.join(':'))) {
      this.kinds[link] = -1;
      this.removed += 1;
    }
  }

  /** Tells the other end of each link of an id; `isHard` is false for soft ones. */
  visit(number: number, side: 'outgoing' | 'incoming', tell: (far: number, isHard: boolean) => void): void {
    if (this.built < this.used) this.build();
    const { starts, links } = side === 'outgoing' ? this.outgoing : this.incoming;
    const fars = side === 'outgoing' ? this.children : this.parents;
    const end = starts[number + 1] ?? 0;
    for (let at = starts[number] ?? end; at < end; at += 1) {
      const link = links[at] ?? 0;
      const kind = this.kinds[link] ?? -1;
      if (kind >= 0) tell(fars[link] ?? 0, kind === 0);
    }
  }

  private append(parent: number, child: number, relation: string): void {
    if (this.used === this.parents.length) {
      this.parents = roomier(this.parents);
      this.children = roomier(this.children);
      this.kinds = roomier(this.kinds);
    }
    let kind = this.relations.get(relation);
    if (kind === undefined) {
      kind = this.relations.size;
      this.relations.set(relation, kind);
    }
    this.parents[this.used] = parent;
    this.children[this.used] = child;
    this.kinds[this.used] = kind;
    this.used += 1;
  }

  private find(parent: number, child: number, relation: string): number[] {
    const kind = this.relations.get(relation);
    if (kind === undefined) return [];
    if (this.used - this.built > MAX_TAIL) this.build();
    const isIt = (link: number) =>
      this.parents[link] === parent && this.children[link] === child && this.kinds[link] === kind;
    const { starts, links } = this.outgoing;
    const end = starts[parent + 1] ?? 0;
    const found: number[] = [];
    for (let at = starts[parent] ?? end; at < end; at += 1) {
      const link = links[at] ?? -1;
      if (isIt(link)) found.push(link);
    }
    for (let link = this.built; link < this.used; link += 1) if (isIt(link)) found.push(link);
    return found;
  }

  private build(): void {
    this.outgoing = byEnd(this.parents, this.used, this.ids.length);
    this.incoming = byEnd(this.children, this.used, this.ids.length);
    this.built = this.used;
  }
}
