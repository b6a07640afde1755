/** Counts what a run did, by type of item, and keeps what went wrong (schema §5.3, scrape_summary). */
import type { ScrapeSummary, TypeSummary } from '../../specs/scraped.ts';

export type ItemOutcome = 'added' | 'updated' | 'unchanged' | 'deleted';
export type ChangeOutcome = keyof TypeSummary['changes'];

export interface Tally {
  item(type: string, outcome: ItemOutcome): void;
  change(type: string, outcome: ChangeOutcome): void;
  /** Something about items of a type that was stored otherwise than asked. */
  warn(type: string, text: string): void;
  /** Something that was not stored. */
  error(text: string): void;
  result(): { summary: ScrapeSummary; errors: string[] };
}

/** Enough to see what is wrong; a job's details are not a log. */
const MAX_TEXTS = 100;

function keep(texts: string[], text: string): void {
  if (texts.length < MAX_TEXTS) texts.push(text);
  else if (texts.length === MAX_TEXTS) texts.push('… and more of them');
}

/** One for a run. */
export function createTally(): Tally {
  const summary = new Map<string, TypeSummary>();
  const errors: string[] = [];
  const of = (type: string): TypeSummary => {
    const known = summary.get(type) ?? {
      added: 0,
      updated: 0,
      unchanged: 0,
      deleted: 0,
      changes: { saved: 0, deduplicated: 0, orphaned: 0, ignored: 0 },
      warnings: [],
    };
    summary.set(type, known);
    return known;
  };
  return {
    item(type, outcome) {
      of(type)[outcome] += 1;
    },
    change(type, outcome) {
      of(type).changes[outcome] += 1;
    },
    warn(type, text) {
      keep(of(type).warnings, text);
    },
    error(text) {
      keep(errors, text);
    },
    result: () => ({ summary: Object.fromEntries(summary), errors }),
  };
}
