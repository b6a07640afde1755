import { expect, it } from 'vitest';
import { flowQuery, parseIdentitySearch } from './identity-search.ts';

it('keeps known texts and nothing else', () => {
  expect(parseIdentitySearch({ flow: 'f', aal: '', refresh: 1, evil: 'x' })).toEqual({ flow: 'f' });
});

it('asks a flow only what its kind understands, never with credentials', () => {
  const search = parseIdentitySearch({
    return_to: '/a',
    aal: 'aal2',
    username: 'u',
    password: 'p',
    token: 't',
  });
  expect(flowQuery('login', search)).toEqual({ return_to: '/a', aal: 'aal2' });
  expect(flowQuery('registration', search)).toEqual({ return_to: '/a', token: 't' });
  expect(flowQuery('settings', search)).toEqual({ return_to: '/a' });
});
