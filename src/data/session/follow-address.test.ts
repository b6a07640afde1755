import { describe, expect, it } from 'vitest';
import { followable } from './follow-address.ts';

const ORIGIN = 'https://holdfast.example';

describe('addresses that the server names', () => {
  it('are pages of the app, loads, or refused', () => {
    expect(followable(`${ORIGIN}/login?aal=aal2`, ORIGIN)).toEqual({ kind: 'page', path: '/login?aal=aal2' });
    expect(followable('/settings', ORIGIN)).toEqual({ kind: 'page', path: '/settings' });
    expect(followable('/api/.ory/self-service/login/browser?aal=aal2', ORIGIN)).toMatchObject({
      kind: 'load',
    });
    expect(followable('https://accounts.example/authorize', ORIGIN)).toEqual({
      kind: 'load',
      href: 'https://accounts.example/authorize',
    });
    expect(followable('javascript:alert(1)', ORIGIN)).toBeNull();
    expect(followable('http://', ORIGIN)).toBeNull();
  });
});
