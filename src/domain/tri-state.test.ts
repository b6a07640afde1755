import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTriState, pressedTriState, unwanted, wanted, writeTriState } from './tri-state.ts';

describe('a filter of wanted and unwanted values', () => {
  it('is written as value:1 and value:-1', () => {
    expect(writeTriState({ SUCCESS: -1, FAILED: 1 })).toBe('SUCCESS:-1,FAILED:1');
  });

  it('is the same after being written and read again, also with commas and colons in the values', () => {
    const value = fc
      .array(fc.constantFrom('a', 'Z', '9', ' ', ':', ',', '-', 'é'), { minLength: 1 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.dictionary(value, fc.constantFrom(1 as const, -1 as const)), (filter) => {
        expect(parseTriState(writeTriState(filter))).toEqual({ ...filter });
      }),
    );
  });

  it('goes round when a value is pressed: wanted, unwanted, left alone', () => {
    const once = pressedTriState({}, 'a');
    const twice = pressedTriState(once, 'a');
    expect([wanted(once), unwanted(twice)]).toEqual([['a'], ['a']]);
    expect(pressedTriState(twice, 'a')).toEqual({});
  });

  it('leaves out what it cannot read', () => {
    expect(parseTriState('SUCCESS:2,,FAILED')).toEqual({});
  });
});
