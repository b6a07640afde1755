/**
 * Keeps the figures that checks give, and writes them as Prometheus reads them. Invariants: a series has one check, which
 * gave it last; what no check of this server gives any more is not written; the number of series is bounded.
 */
import type { Figure } from './figure.ts';

/** Of all checks, and of one. */
const MAX_SERIES = 10_000;
const MAX_OF_CHECK = 500;
/** For seconds and for milliseconds. */
const BUCKETS = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000];

interface Series {
  checkId: string;
  labels: string;
  /** Of a histogram: the sum. */
  value: number;
  /** Of a histogram: how many, and how many up to each bucket. */
  count: number;
  upTo: number[];
}
interface Family {
  type: Figure['type'];
  series: Map<string, Series>;
}

const escaped = (value: string) =>
  value
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`);

const labelsOf = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',');

const line = (name: string, labels: readonly string[], value: number): string => {
  const all = labels.filter((text) => text !== '').join(',');
  return `${name}${all === '' ? '' : `{${all}}`} ${value}`;
};

function linesOf(name: string, type: Figure['type'], series: Series): string[] {
  const { labels, value, count, upTo } = series;
  if (type !== 'histogram') return [line(name, [labels], value)];
  return [
    ...BUCKETS.map((limit, at) => line(`${name}_bucket`, [labels, `le="${limit}"`], upTo[at] ?? 0)),
    line(`${name}_bucket`, [labels, 'le="+Inf"'], count),
    line(`${name}_sum`, [labels], value),
    line(`${name}_count`, [labels], count),
  ];
}

function add(series: Series, { type, value }: Figure): void {
  series.value = type === 'gauge' ? value : series.value + value;
  series.count += 1;
  if (type === 'histogram')
    series.upTo = BUCKETS.map((limit, at) => (series.upTo[at] ?? 0) + (value <= limit ? 1 : 0));
}

/** One for a server. */
export class CheckFigures {
  private readonly families = new Map<string, Family>();

  /** Takes what a run gave; answers what could not be taken. */
  note(checkId: string, figures: readonly Figure[]): string[] {
    return figures.flatMap((figure) => {
      const problem = this.noteOne(checkId, figure);
      return problem === null ? [] : [`metrics: ${figure.name}: ${problem}`];
    });
  }

  private noteOne(checkId: string, figure: Figure): string | null {
    const { name, type } = figure;
    const family = this.families.get(name) ?? { type, series: new Map<string, Series>() };
    if (family.type !== type) return `is a ${family.type} elsewhere`;
    const labels = labelsOf(figure.labels);
    const series = family.series.get(labels) ?? { checkId, labels, value: 0, count: 0, upTo: [] };
    if (series.count === 0) {
      if (this.countOf() >= MAX_SERIES) return `there are ${MAX_SERIES} series already`;
      if (this.countOf(checkId) >= MAX_OF_CHECK) return `the check has ${MAX_OF_CHECK} series already`;
    }
    series.checkId = checkId;
    add(series, figure);
    family.series.set(labels, series);
    this.families.set(name, family);
    return null;
  }

  private countOf(checkId?: string): number {
    let count = 0;
    for (const { series } of this.families.values())
      if (checkId === undefined) count += series.size;
      else for (const one of series.values()) count += one.checkId === checkId ? 1 : 0;
    return count;
  }

  /** In Prometheus's text format; forgets what belongs to checks that are not run here any more. */
  text(isRunHere: (checkId: string) => boolean): string {
    const lines: string[] = [];
    for (const [name, { type, series }] of this.families) {
      for (const [labels, one] of series) if (!isRunHere(one.checkId)) series.delete(labels);
      if (series.size === 0) {
        this.families.delete(name);
        continue;
      }
      lines.push(`# TYPE ${name} ${type}`);
      for (const one of series.values()) lines.push(...linesOf(name, type, one));
    }
    return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
  }
}
