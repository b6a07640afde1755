/**
 * The lines of one log that a page looks at, newest first, bounded. Invariant: a line that the server sends twice is
 * here once; lines of one moment stay in the server's order.
 */
import { readAnsi, withoutAnsi } from '../../../src/domain/logs/ansi.ts';
import { levelOf, type LogLevel } from '../../../src/domain/logs/log-level.ts';
import { searchableText } from '../../../src/domain/logs/search-words.ts';
import { MAX_HELD_LINES } from '../../../src/contract/logs/log-view.ts';
import { columnsOf, lettersOf, type LineColumns } from './line-columns.ts';

/** As many as somebody chooses from. */
const MAX_LABEL_NAMES = 100;

export interface HeldLine {
  seq: number;
  atMs: number;
  /** As it came. */
  raw: string;
  labels: Readonly<Record<string, string>>;
  level: LogLevel;
  /** What is looked through. */
  lower: string;
  /** Letters that it has, a bit each. */
  letters: number;
}

/** As the server writes it. */
export interface SentLine {
  timestamp: string;
  message: string;
  labels: Readonly<Record<string, string>>;
}

/** Lines of one source have the same few labels: one object for each is enough. */
function createShared(onNew: (labels: Readonly<Record<string, string>>) => void) {
  const known = new Map<string, Readonly<Record<string, string>>>();
  return (labels: Readonly<Record<string, string>>) => {
    const text = JSON.stringify(labels);
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size > 10_000) known.clear();
    known.set(text, labels);
    onNew(labels);
    return labels;
  };
}

const keyOf = ({ atMs, raw, labels }: Pick<HeldLine, 'atMs' | 'raw' | 'labels'>) =>
  `${atMs}\n${raw}\n${JSON.stringify(labels)}`;

/** One for each log that is looked at. */
export class LogBook {
  lines: readonly HeldLine[] = [];
  /** Rises with each change. */
  version = 0;
  private nextSeq = 0;
  private known: { version: number; columns: LineColumns } | null = null;
  /** Of all lines that were read. */
  readonly labelNames = new Set<string>();
  private readonly shared = createShared((labels) => {
    for (const name of Object.keys(labels))
      if (this.labelNames.size < MAX_LABEL_NAMES) this.labelNames.add(name);
  });

  /** Of the lines as they are now. */
  columns(): LineColumns {
    if (this.known?.version !== this.version)
      this.known = { version: this.version, columns: columnsOf(this.lines) };
    return this.known.columns;
  }

  private read({ timestamp, message, labels }: SentLine): HeldLine {
    const atMs = Date.parse(timestamp);
    const own = this.shared(labels);
    const seq = this.nextSeq;
    this.nextSeq += 1;
    const lower = searchableText(withoutAnsi(message), own);
    return {
      seq,
      atMs: Number.isNaN(atMs) ? 0 : atMs,
      raw: message,
      labels: own,
      level: levelOf(readAnsi(message.slice(0, 500)).text, own),
      lower,
      letters: lettersOf(lower),
    };
  }

  private set(lines: readonly HeldLine[]): void {
    this.lines = lines.length > MAX_HELD_LINES ? lines.slice(0, MAX_HELD_LINES) : lines;
    this.version += 1;
  }

  /** In the place of what was here. */
  replace(sent: readonly SentLine[]): void {
    this.set(sent.map((line) => this.read(line)));
  }

  /** Older ones, behind what is here. */
  addOlder(sent: readonly SentLine[]): void {
    this.set([...this.lines, ...sent.map((line) => this.read(line))]);
  }

  /** Newer ones, of which some may be here already. */
  addNewer(sent: readonly SentLine[]): void {
    const added = sent.map((line) => this.read(line));
    const oldest = added.at(-1)?.atMs;
    if (oldest === undefined) return;
    const end = this.lines.findIndex(({ atMs }) => atMs < oldest);
    const near = this.lines.slice(0, end < 0 ? this.lines.length : end);
    const known = new Map<string, number>();
    for (const line of near) {
      const key = keyOf(line);
      known.set(key, (known.get(key) ?? 0) + 1);
    }
    const fresh = added.filter((line) => {
      const count = known.get(keyOf(line)) ?? 0;
      if (count > 0) known.set(keyOf(line), count - 1);
      return count === 0;
    });
    if (fresh.length === 0) return;
    const merged = [...fresh, ...near].toSorted((a, b) => b.atMs - a.atMs);
    this.set([...merged, ...this.lines.slice(near.length)]);
  }
}
