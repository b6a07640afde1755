import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countWrong } from './count-wrong.ts';

const wrong = fc.record({ type: fc.constantFrom('required', 'custom'), message: fc.string() });
/** Errors as the form has them, with how many fields they are about. */
const tree = fc.letrec<{ errors: { errors: object; count: number } }>((tie) => ({
  errors: fc
    .array(
      fc.oneof(
        { depthSize: 'small' },
        wrong.map((errors) => ({ errors, count: 1 })),
        tie('errors'),
      ),
      { maxLength: 4 },
    )
    .map((parts) => ({
      errors: Object.fromEntries(parts.map(({ errors }, at) => [`field${at}`, errors])),
      count: parts.reduce((sum, { count }) => sum + count, 0),
    })),
}));

describe('fields that are wrong', () => {
  it('are counted one by one, however deep they are', () => {
    fc.assert(
      fc.property(tree.errors, ({ errors, count }) => {
        expect(countWrong(errors)).toBe(count);
      }),
    );
  });

  it('of a list are counted with gaps in it', () => {
    expect(countWrong({ rows: [undefined, { name: { type: 'required' } }, null] } as never)).toBe(1);
  });
});
