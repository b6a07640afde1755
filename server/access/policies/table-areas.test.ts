import { describe, expect, it } from 'vitest';
import { decideTableAccess } from './table-areas.ts';

const allows = (name: string, method: string, ...roles: string[]) =>
  decideTableAccess(name, method, roles).kind === 'allowed';

describe('access to tables', () => {
  it('lets everyone read what health shows, and a person without a role counts as viewer', () => {
    for (const name of [
      'checks',
      'check_summary',
      'check_statuses',
      'canaries',
      'configs',
      'components',
      'people',
      'agents',
    ]) {
      expect(allows(name, 'GET')).toBe(true);
      expect(allows(name, 'HEAD', 'viewer')).toBe(true);
      expect(allows(name, 'POST', 'viewer')).toBe(false);
    }
  });

  it('lets editors write all but identities, roles and connections', () => {
    expect(allows('canaries', 'PATCH', 'editor')).toBe(true);
    expect(allows('properties', 'DELETE', 'editor')).toBe(true);
    for (const name of ['connections', 'casbin_rule', 'identities', 'permissions']) {
      expect(allows(name, 'GET', 'editor')).toBe(false);
      expect(allows(name, 'GET', 'admin')).toBe(true);
    }
    expect(allows('people', 'PATCH', 'editor')).toBe(false);
    expect(allows('people', 'PATCH', 'admin')).toBe(true);
  });

  it('shows nobody the hashes of tokens and passwords, not even admins', () => {
    for (const name of ['access_tokens', 'identity_credentials', 'identity_sessions']) {
      for (const method of ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']) {
        expect(allows(name, method, 'admin'), `${method} ${name}`).toBe(false);
      }
    }
  });

  it('shows the secrets of actions on agents to admins only', () => {
    expect(allows('playbook_action_agent_data', 'GET', 'admin')).toBe(true);
    expect(allows('playbook_action_agent_data', 'GET', 'editor')).toBe(false);
    expect(allows('playbook_action_agent_data', 'GET')).toBe(false);
  });

  it('lets responders and commanders write what belongs to incidents only', () => {
    expect(allows('incidents', 'POST', 'responder')).toBe(true);
    expect(allows('comments', 'POST', 'commander')).toBe(true);
    expect(allows('canaries', 'POST', 'commander')).toBe(false);
  });

  it('knows no other table, and refuses methods that have no action', () => {
    expect(decideTableAccess('schema_migrations', 'GET', ['admin'])).toEqual({ kind: 'unknown' });
    expect(decideTableAccess('', 'GET', ['admin'])).toEqual({ kind: 'unknown' });
    expect(decideTableAccess('checks', 'PUT', ['admin'])).toEqual({
      kind: 'denied',
      object: 'canaries',
      action: 'put',
    });
  });
});
