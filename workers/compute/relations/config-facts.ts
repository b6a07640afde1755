/**
 * What the relationships page shows and filters of each config item, by the item's number. Equal texts and equal
 * labels are held once: an estate of 50,000 items has few different ones.
 */
import type { ReplicatedRow } from '../../../src/contract/collections.ts';
import { pairsIn, textIn, type Pairs } from '../live/columns.ts';

export interface ConfigFacts {
  name: string;
  type: string;
  status: string | null;
  health: string | null;
  labels: Pairs;
  tags: Pairs;
  deletedAt: string | null;
  /** Ids from the root to the parent, joined by dots. */
  path: string;
}

const NONE: Pairs = {};

/** By the numbers that `RelationLinks` gives. */
export class ConfigFactsIndex {
  private readonly facts: (ConfigFacts | undefined)[] = [];
  private readonly texts = new Map<string, string>();
  private readonly labels = new Map<string, Pairs>();

  get(number: number): ConfigFacts | undefined {
    return this.facts[number];
  }

  put(number: number, row: ReplicatedRow): void {
    const name = textIn(row, 'name') ?? '';
    const [status, health] = [textIn(row, 'status'), textIn(row, 'health')];
    this.facts[number] = {
      name: name === '' ? row.id : name,
      type: this.shared(textIn(row, 'type') ?? ''),
      status: status === null ? null : this.shared(status),
      health: health === null ? null : this.shared(health),
      labels: this.sharedPairs(pairsIn(row, 'labels')),
      tags: this.sharedPairs(pairsIn(row, 'tags')),
      deletedAt: textIn(row, 'deleted_at'),
      path: textIn(row, 'path') ?? '',
    };
  }

  remove(number: number): void {
    this.facts[number] = undefined;
  }

  private shared(text: string): string {
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    this.texts.set(text, text);
    return text;
  }

  private sharedPairs(pairs: Pairs | null): Pairs {
    if (pairs === null) return NONE;
    const key = JSON.stringify(pairs);
    const known = this.labels.get(key);
    if (known !== undefined) return known;
    this.labels.set(key, pairs);
    return pairs;
  }
}
