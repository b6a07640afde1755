import { describe, expect, it } from 'vitest';
import { labelPairs, labelsOf, repeatedLabel } from './labels.ts';

describe('labels in a form', () => {
  it('come back as they were', () => {
    const labels = { app: 'shop', tier: '1' };
    expect(labelsOf(labelPairs(labels))).toEqual(labels);
  });

  it('without a name are left out', () => {
    expect(labelsOf([{ key: ' ', value: 'x' }])).toEqual({});
  });

  it('that are there twice are named', () => {
    const twice = [
      { key: 'app', value: 'a' },
      { key: 'app ', value: 'b' },
    ];
    expect(repeatedLabel(twice)).toBe('app');
    expect(repeatedLabel(labelPairs({ app: 'a' }))).toBeNull();
  });
});
