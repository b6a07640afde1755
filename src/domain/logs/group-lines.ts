/**
 * Lines put together (fixtures/logs, group_logs): by labels, with what all lines of a group have said once for the group;
 * and lines that say the same counted as one.
 */
import { groupBy } from '../../lib/group-by.ts';

export interface GroupableLine {
  message: string;
  severity?: string | undefined;
  labels?: Readonly<Record<string, string>> | undefined;
  /** How many lines it stands for. */
  count?: number | undefined;
}

export interface LineGroup<Line> {
  /** Those by which it is grouped, and those that all of its lines have alike. */
  labels: Record<string, string>;
  /** In the order in which they came, without the labels of the group. */
  logs: Line[];
}

export interface Grouping {
  /** Names of labels, or `severity`; empty for none. */
  groupBy?: readonly string[];
  /** `message`, `severity`, names of labels, or `hash` for the whole of a line; empty for none. */
  dedupBy?: readonly string[];
}

function valueOf({ message, severity = '', labels = {} }: GroupableLine, name: string): string {
  if (name === 'message') return message;
  if (name === 'severity') return severity;
  if (name === 'hash')
    return JSON.stringify([
      message,
      severity,
      Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ]);
  return Object.hasOwn(labels, name) ? (labels[name] ?? '') : '';
}

function byValues<Line extends GroupableLine>(lines: readonly Line[], names: readonly string[]): Line[][] {
  return [...groupBy(lines, (line) => JSON.stringify(names.map((name) => valueOf(line, name)))).values()];
}

function once<Line extends GroupableLine>(lines: readonly Line[], dedupBy: readonly string[]): Line[] {
  if (dedupBy.length === 0) return [...lines];
  return byValues(lines, dedupBy).flatMap((same) => {
    const count = same.reduce((sum, line) => sum + (line.count ?? 1), 0);
    return same.slice(0, 1).map((line) => ({ ...line, count }));
  });
}

function groupOf<Line extends GroupableLine>(lines: readonly Line[]): LineGroup<Line> {
  const [first] = lines;
  const common = Object.entries(first?.labels ?? {}).filter(([name, value]) =>
    lines.every((line) => line.labels?.[name] === value),
  );
  const names = new Set(common.map(([name]) => name));
  const logs = lines.map((line) => ({
    ...line,
    labels: Object.fromEntries(Object.entries(line.labels ?? {}).filter(([name]) => !names.has(name))),
  }));
  return { labels: Object.fromEntries(common), logs };
}

/** The groups in the order of their first lines; without `groupBy` one, whose lines keep all their labels. */
export function groupLines<Line extends GroupableLine>(
  lines: readonly Line[],
  { groupBy = [], dedupBy = [] }: Grouping,
): LineGroup<Line>[] {
  if (groupBy.length === 0) return [{ labels: {}, logs: once(lines, dedupBy) }];
  return byValues(lines, groupBy).map((same) => groupOf(once(same, dedupBy)));
}
