/** Results as text: the table of one run, two runs side by side, and the list of lines. Pure. */
import { compare, judge, spreadOf, valueOf } from './measurement.ts';
import type { Line, Measurement } from './measurement.ts';

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

function table(head: readonly string[], rows: readonly string[][]): string {
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}

function figure(value: number, unit: Line['unit']): string {
  if (!Number.isFinite(value)) return '–';
  const rounded = Math.abs(value) < 100 ? Math.round(value * 10) / 10 : Math.round(value);
  return `${rounded.toLocaleString('en')} ${unit}`.trim();
}

const SUFFIX = { median: '', p95: ' p95', max: ' at most', exact: '' } as const;

function goalOf({ goal, unit, statistic }: Line): string {
  if (goal === null) return '–';
  return `${unit === 'fps' ? '≥' : '≤'} ${figure(goal, unit)}${statistic === 'p95' ? ' p95' : ''}`;
}

const valueText = (one: Measurement) =>
  one.samples.length === 0 ? '–' : `${figure(valueOf(one), one.line.unit)}${SUFFIX[one.line.statistic]}`;

const medianOf = (one: Measurement) =>
  valueOf({ ...one, line: { ...one.line, statistic: 'median' as const } });

function verdictOf(one: Measurement): string {
  const verdict = judge(one);
  switch (verdict.kind) {
    case 'held':
      return 'held';
    case 'missed':
      return '**missed**';
    case 'no goal':
      return '–';
    case 'not judged':
      return `not judged: ${verdict.reason.replaceAll('|', '/')}`;
  }
}

function spreadText(one: Measurement): string {
  if (one.samples.length < 2) return '–';
  const [low, high] = spreadOf(one);
  return `${figure(low, '')} to ${figure(high, '')}`;
}

const titleOf = ({ line, note }: Measurement) => line.title + (note === undefined ? '' : ` (${note})`);

/** All lines of one run. */
export function resultTable(measurements: readonly Measurement[]): string {
  const head = ['what', 'before', 'goal', 'now', 'median', 'spread', 'runs', 'CPU a run', 'load', 'verdict'];
  return table(
    head,
    measurements.map((one) => [
      titleOf(one),
      one.line.before,
      goalOf(one.line),
      valueText(one),
      one.samples.length === 0 ? '–' : figure(medianOf(one), one.line.unit),
      spreadText(one),
      String(one.samples.length),
      one.cpuMs === null ? '–' : figure(one.cpuMs, 'ms'),
      one.load === null ? '–' : one.load.toFixed(1),
      verdictOf(one),
    ]),
  );
}

function ratio(before: number, now: number): string {
  return Number.isFinite(now / before) ? `${(now / before).toFixed(2)}×` : '–';
}

/** Two runs side by side; lines that only one of them has are told. */
export function comparisonTable(before: readonly Measurement[], now: readonly Measurement[]): string {
  const head = ['what', 'before', 'now', 'ratio', 'CPU ratio', 'goal', 'difference', 'verdict now'];
  return table(
    head,
    now.map((one) => {
      const old = before.find(({ key, line }) => key === one.key && line.part === one.line.part);
      if (old === undefined)
        return [titleOf(one), '–', valueText(one), '–', '–', goalOf(one.line), 'new', verdictOf(one)];
      const difference = compare(old, one);
      return [
        titleOf(one),
        valueText(old),
        valueText(one),
        ratio(valueOf(old), valueOf(one)),
        ratio(old.cpuMs ?? Number.NaN, one.cpuMs ?? Number.NaN),
        goalOf(one.line),
        difference.kind === 'not compared' ? `not compared: ${difference.reason}` : difference.kind,
        verdictOf(one),
      ];
    }),
  );
}

/** Every line by its name, with its part and goal. */
export function lineList(lines: Readonly<Record<string, Line>>): string {
  return table(
    ['part', 'line', 'what', 'goal', 'quick'],
    Object.entries(lines).map(([key, line]) => [
      line.part,
      key,
      line.title,
      goalOf(line),
      line.isHeadline === true ? 'yes' : '',
    ]),
  );
}
