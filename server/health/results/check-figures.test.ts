import { describe, expect, test } from 'vitest';
import { CheckFigures } from './check-figures.ts';
import type { Figure } from './figure.ts';

const figure = (more: Partial<Figure>): Figure => ({
  name: 'a',
  type: 'gauge',
  value: 1,
  labels: {},
  ...more,
});
const everywhere = () => true;

describe('figures of checks', () => {
  test('a gauge is the last, a counter adds up, labels are escaped and in order', () => {
    const figures = new CheckFigures();
    const labels = { z: 'x"y\\z\n', b: '1' };
    for (const value of [2, 5]) {
      expect(figures.note('c1', [figure({ value, labels })])).toEqual([]);
      figures.note('c2', [figure({ name: 'b', type: 'counter', value })]);
    }
    expect(figures.text(everywhere).split('\n')).toEqual([
      '# TYPE a gauge',
      String.raw`a{b="1",z="x\"y\\z\n"} 5`,
      '# TYPE b counter',
      'b 7',
      '',
    ]);
  });

  test('a histogram has buckets that hold all below them', () => {
    const figures = new CheckFigures();
    for (const value of [0.02, 30, 20_000])
      figures.note('c1', [figure({ type: 'histogram', value, labels: { of: 'x' } })]);
    const lines = figures.text(everywhere).split('\n');
    expect(lines).toContain('a_bucket{of="x",le="0.01"} 0');
    expect(lines).toContain('a_bucket{of="x",le="0.05"} 1');
    expect(lines).toContain('a_bucket{of="x",le="50"} 2');
    expect(lines).toContain('a_bucket{of="x",le="+Inf"} 3');
    expect(lines).toContain('a_sum{of="x"} 20030.02');
    expect(lines).toContain('a_count{of="x"} 3');
  });

  test('of checks that are not run here any more are forgotten, and their names are free', () => {
    const figures = new CheckFigures();
    figures.note('gone', [figure({})]);
    expect(figures.note('c1', [figure({ type: 'counter' })])).toEqual(['metrics: a: is a gauge elsewhere']);
    expect(figures.text((id) => id !== 'gone')).toBe('');
    expect(figures.note('c1', [figure({ type: 'counter' })])).toEqual([]);
  });

  test('are bounded for a check', () => {
    const figures = new CheckFigures();
    const many = Array.from({ length: 501 }, (_, at) => figure({ labels: { at: String(at) } }));
    expect(figures.note('c1', many)).toEqual(['metrics: a: the check has 500 series already']);
    expect(figures.note('c1', many.slice(0, 1))).toEqual([]);
    expect(figures.note('c2', [figure({ labels: { of: 'other' } })])).toEqual([]);
  });
});
