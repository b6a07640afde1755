/** The first rows of an answer as they come in: what is in memory is bounded, however many there are. */
import { isOnlyReading } from '../../catalog/scrapers/kinds/sql/reading-statement.ts';
import { MAX_ROWS, plainRow } from '../../catalog/scrapers/kinds/sql/sql-target.ts';

export interface SqlAnswer {
  /** At most `MAX_ROWS`. */
  rows: Record<string, unknown>[];
  /** Rows that were read, or touched by a statement that reads none. */
  count: number;
  /** There were more rows than are kept. */
  isCut: boolean;
  /** The statement was ended when there were more, and how many is not known. */
  isEnded: boolean;
}

/**
 * Takes rows. At the first that is not kept, a statement that certainly only reads is ended by `end`, once; of any other
 * the rest is let go by, since what it does would be undone or left undone.
 */
export class FirstRows {
  private readonly rows: Record<string, unknown>[] = [];
  private readonly query: string;
  private readonly end: () => void;
  private seen = 0;
  /** The statement was told to end: that it failed is no news. */
  isEnded = false;

  constructor(query: string, end: () => void) {
    this.query = query;
    this.end = end;
  }

  add(row: Record<string, unknown>): void {
    this.seen += 1;
    if (this.seen <= MAX_ROWS) this.rows.push(plainRow(row));
    else if (this.seen === MAX_ROWS + 1 && isOnlyReading(this.query)) {
      this.isEnded = true;
      this.end();
    }
  }

  /** `count`: as the database says it, of a statement that came to its end. */
  answer(count: number = this.seen): SqlAnswer {
    const { rows, seen, isEnded } = this;
    return { rows, count: isEnded ? rows.length : count, isCut: seen > MAX_ROWS, isEnded };
  }
}
