import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LabelFilter } from './label-filter.ts';
import { compileLabelFilter, labelEntry, parseLabelEntry, toggleLabel } from './label-filter.ts';

describe('label filters', () => {
  it('reads back every key without a colon and any value', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }).filter((key) => !key.includes(':')),
        fc.string(),
        (key, value) => {
          expect(parseLabelEntry(labelEntry(key, value))).toEqual({ key, value });
        },
      ),
    );
  });

  it('ignores entries of another form', () => {
    expect(parseLabelEntry('team:a')).toBeNull();
    expect(parseLabelEntry('canary::x')).toBeNull();
    expect(compileLabelFilter({ nonsense: 1 } as LabelFilter)({ team: 'a' })).toBe(true);
  });

  it('values of one key are alternatives, keys must all hold, exclusions win', () => {
    const matches = compileLabelFilter({
      [labelEntry('team', 'a')]: 1,
      [labelEntry('team', 'b')]: 1,
      [labelEntry('env', 'prod')]: 1,
      [labelEntry('tier', 'test')]: -1,
    });
    expect(matches({ team: 'a', env: 'prod' })).toBe(true);
    expect(matches({ team: 'b', env: 'prod', tier: 'x' })).toBe(true);
    expect(matches({ team: 'c', env: 'prod' })).toBe(false);
    expect(matches({ team: 'a' })).toBe(false);
    expect(matches({ team: 'a', env: 'prod', tier: 'test' })).toBe(false);
  });

  it('a row without the key passes an exclusion and fails an inclusion', () => {
    expect(compileLabelFilter({ [labelEntry('k', 'v')]: -1 })({})).toBe(true);
    expect(compileLabelFilter({ [labelEntry('k', 'v')]: 1 })({})).toBe(false);
  });

  it('pressing the active state again resets it to neutral', () => {
    const entry = labelEntry('team', 'a');
    const included = toggleLabel({}, entry, 1);
    expect(included).toEqual({ [entry]: 1 });
    expect(toggleLabel(included, entry, -1)).toEqual({ [entry]: -1 });
    expect(toggleLabel(included, entry, 1)).toEqual({});
  });
});
