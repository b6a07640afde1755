import { expect, it } from 'vitest';
import { isNameTyped, nameToType } from './danger.ts';

it('the name of what a dangerous playbook runs on is to be typed as it stands there, blanks around it aside', () => {
  expect(nameToType({ id: 'a1', name: ' checkout ' })).toBe('checkout');
  for (const name of [undefined, null, '', '  ', 7]) expect(nameToType({ id: 'a1', name })).toBe('a1');
  for (const typed of ['checkout', ' checkout\n']) expect(isNameTyped('checkout', typed)).toBe(true);
  for (const typed of ['Checkout', 'checkou', 'check out', '', null, undefined])
    expect(isNameTyped('checkout', typed)).toBe(false);
});
