import { describe, expect, test } from 'vitest';
import { doneState } from './done-state.ts';

const BASE = {
  definition_of_done: true,
  done: null,
  script: 'check.status == "healthy"',
  script_result: null,
};
const kindOf = (part: Partial<Parameters<typeof doneState>[0]>) => doneState({ ...BASE, ...part }).kind;

describe('an evidence of the definition of done', () => {
  test('with a script is unevaluated until it ran, then says what it found', () => {
    expect(kindOf({})).toBe('unevaluated');
    expect(kindOf({ done: true, script_result: 'true' })).toBe('done');
    expect(kindOf({ done: false, script_result: 'false' })).toBe('not-done');
    expect(kindOf({ done: false })).toBe('not-done');
  });

  test('whose script gives a text shows the text', () => {
    expect(doneState({ ...BASE, script_result: '3 of 5 pods' })).toEqual({
      kind: 'text',
      text: '3 of 5 pods',
    });
    expect(kindOf({ done: false, script_result: '3 of 5 pods' })).toBe('text');
  });

  test('whose script failed says why, and whether it was done before', () => {
    const script_result = 'error: no such key: status';
    expect(doneState({ ...BASE, script_result })).toEqual({
      kind: 'error',
      text: 'no such key: status',
      wasDone: false,
    });
    expect(doneState({ ...BASE, script_result, done: true })).toMatchObject({ kind: 'error', wasDone: true });
  });

  test('without a script is done when somebody says so, whatever a script said before', () => {
    expect(kindOf({ script: null })).toBe('not-done');
    expect(kindOf({ script: '  ', script_result: 'error: x' })).toBe('not-done');
    expect(kindOf({ script: null, done: true })).toBe('done');
  });
});
