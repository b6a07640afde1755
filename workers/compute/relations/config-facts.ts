/**
 * What the relationships page shows and filters of each config item, by the item's number. Equal texts and equal
 * labels are held once: an estate of 50,000 items has few different ones.
 */
import type { ReplicatedRow } from '../../../src/contract/collections.ts';

type Labels = Readonly<Record<string, string>>;

export interface ConfigFacts {
  name: string;
  type: string;
  status: string | null;
  health: string | null;
  labels: Labels;
  tags: Labels;
  deletedAt: string | null;
  /** Ids from the root to the parent, joined by dots. */
  path: string;
}

const NONE: Labels = {};

function textOr<T>(value: unknown, other: T): string | T {
  return typeof value === 'string' ? value : other;
}

export class ConfigFactsIndex {
  private readonly facts: (ConfigFacts | undefined)[] = [];
  private readonly texts = new Map<string, string>();
  private readonly labels = new Map<string, Labels>();

  get(number: number): ConfigFacts | undefined {
    return this.facts[number];
  }

  put(number: number, row: ReplicatedRow): void {
    const name = textOr(row.name, '');
    this.facts[number] = {
      name: name === '' ? row.id : name,
      type: this.shared(textOr(row.type, '')),
      status: typeof row.status === 'string' ? this.shared(row.status) : null,
      health: typeof row.health === 'string' ? this.shared(row.health) : null,
      labels: this.sharedLabels(row.labels),
      tags: this.sharedLabels(row.tags),
      deletedAt: textOr(row.deleted_at, null),
      path: textOr(row.path, ''),
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

  private sharedLabels(value: unknown): Labels {
    if (typeof value !== 'object' || value === null) return NONE;
    const key = JSON.stringify(value);
    const known = this.labels.get(key);
    if (known !== undefined) return known;
    const labels = Object.fromEntries(
      Object.entries(value).map(([name, text]) => [
        name,
        typeof text === 'string' ? text : JSON.stringify(text),
      ]),
    );
    this.labels.set(key, labels);
    return labels;
  }
}
