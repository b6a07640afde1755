import { describe, expect, it } from 'vitest';
import { stateOf, userOf, userSchema } from './user-schema.ts';

const ADA = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.test',
  role: 'editor',
  isActive: true,
};
const UNKNOWN = { roles: [], hasSignedIn: null };
const refusalOf = (values: unknown) =>
  userSchema.safeParse(values).error?.issues.map(({ path, message }) => [path.join('.'), message]);

describe('the user form', () => {
  it('takes a whole user', () => {
    expect(refusalOf(ADA)).toBeUndefined();
  });

  it.each([
    ['firstName', ' ', 'Please provide valid first name'],
    ['lastName', '', 'Please provide valid last name'],
    ['email', '', 'Please provide valid email'],
    ['email', 'ada@example', 'Entered value does not match email format'],
    ['email', 'ada.example.test', 'Entered value does not match email format'],
    ['role', '', 'Please select any role'],
    ['role', 'owner', 'Please select any role'],
  ])('refuses %s %j with the words of the specification', (field, value, message) => {
    expect(refusalOf({ ...ADA, [field]: value })?.[0]).toEqual([field, message]);
  });
});

describe('a user from an identity', () => {
  it('is called by the e-mail address where there is no name', () => {
    const user = userOf({ id: '1', state: 'active', traits: { email: 'ada@example.test' } }, UNKNOWN);
    expect(user).toMatchObject({ name: 'ada@example.test', isActive: true });
  });

  it('is inactive in any state but active', () => {
    expect(userOf({ id: '1', state: 'inactive', traits: {} }, UNKNOWN).isActive).toBe(false);
    expect(userOf({ id: '1', state: null, traits: {} }, UNKNOWN).isActive).toBe(false);
  });

  it('is invited until the first sign-in, and inactive whatever came before', () => {
    const states = (isActive: boolean) =>
      [true, false, null].map((hasSignedIn) => stateOf({ isActive, hasSignedIn }));
    expect(states(true)).toEqual(['active', 'invited', 'active']);
    expect(states(false)).toEqual(['inactive', 'inactive', 'inactive']);
  });
});
