import { describe, expect, it } from 'vitest';
import { identityFlowSchema } from '../../contract/http/identity/identity-flow.ts';
import { formsOf, missingFields } from './flow-parts.ts';

const input = (group: string, name: string, more: object = {}) => ({
  group,
  type: 'input',
  attributes: { name, type: 'text', ...more },
});
const CSRF = input('default', 'csrf_token', { type: 'hidden', value: 'x', required: true });
const flowOf = (...nodes: object[]) =>
  identityFlowSchema.parse({ id: 'f', ui: { action: '/', nodes: [CSRF, ...nodes] } });
const shape = (kind: Parameters<typeof formsOf>[0], ...nodes: object[]) =>
  formsOf(kind, flowOf(...nodes)).map(({ group, nodes: own }) => [
    group,
    own.map((one) => one.attributes.name),
  ]);

describe('the forms of a flow', () => {
  it('sign-in asks who and the password in one form, other accounts in another', () => {
    expect(
      shape(
        'login',
        input('default', 'identifier'),
        input('password', 'password'),
        input('oidc', 'provider', { type: 'submit' }),
      ),
    ).toEqual([
      ['password', ['csrf_token', 'identifier', 'password']],
      ['oidc', ['csrf_token', 'provider']],
    ]);
  });

  it('registration is one form of traits and password', () => {
    expect(shape('registration', input('profile', 'traits.email'), input('password', 'password'))).toEqual([
      ['profile', ['csrf_token', 'traits.email', 'password']],
    ]);
  });

  it('settings are a card a method, each with the token', () => {
    expect(shape('settings', input('profile', 'traits.email'), input('totp', 'totp_code'))).toEqual([
      ['profile', ['csrf_token', 'traits.email']],
      ['totp', ['csrf_token', 'totp_code']],
    ]);
  });

  it('a flow with shared fields only is one form', () => {
    expect(shape('verification')).toEqual([['default', ['csrf_token']]]);
  });
});

describe('what is missing', () => {
  const nodes = flowOf(
    input('password', 'password', { type: 'password', required: true }),
    input('password', 'note', {}),
    input('password', 'gone', { required: true, disabled: true }),
    input('password', 'method', { type: 'submit', required: true }),
  ).ui.nodes;

  it('counts visible required inputs only', () => {
    expect(missingFields(nodes, {})).toEqual(['password']);
    expect(missingFields(nodes, { password: '' })).toEqual(['password']);
    expect(missingFields(nodes, { password: 'x' })).toEqual([]);
  });
});
