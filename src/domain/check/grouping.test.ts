import { describe, expect, it } from 'vitest';
import type { Check } from './check.ts';
import { groupKey, isGroupBy, isTabBy, searchText, tabKey } from './grouping.ts';

const check = (over: Partial<Check>): Check => ({
  id: '1',
  canary_id: 'c',
  canary_name: 'shop',
  canary_namespace: 'prod',
  name: 'api/login',
  namespace: '',
  type: 'http',
  icon: null,
  description: 'Login',
  endpoint: 'https://shop.example/login',
  owner: null,
  severity: null,
  labels: { team: 'red' },
  status: 'healthy',
  uptime: { passed: 1, failed: 0 },
  latency: {},
  agent_id: null,
  agent_name: null,
  last_runtime: null,
  next_runtime: null,
  last_transition_time: null,
  created_at: null,
  updated_at: null,
  deleted_at: null,
  silenced_at: null,
  ...over,
});

describe('grouping and tabs', () => {
  it('by name uses the prefix before a slash', () => {
    expect(groupKey(check({}), 'name')).toBe('api');
    expect(groupKey(check({ name: 'plain' }), 'name')).toBe('plain');
    expect(groupKey(check({ name: '/rooted' }), 'name')).toBe('/rooted');
  });

  it('by a label key uses none where the label is missing', () => {
    expect(groupKey(check({}), 'label:team')).toBe('red');
    expect(groupKey(check({}), 'label:env')).toBe('none');
  });

  it('the namespace tab falls back to the canary’s namespace, then to none', () => {
    expect(tabKey(check({}), 'namespace')).toBe('prod');
    expect(tabKey(check({ namespace: 'x' }), 'namespace')).toBe('x');
    expect(tabKey(check({ canary_namespace: '' }), 'namespace')).toBe('none');
    expect(tabKey(check({}), 'agent')).toBe('local');
  });

  it('search looks in name, description and endpoint, whatever the case', () => {
    const text = searchText(check({}));
    for (const part of ['api/login', 'login', 'shop.example']) expect(text).toContain(part);
  });

  it('refuses unknown ways to group', () => {
    expect(isGroupBy('label:')).toBe(false);
    expect(isGroupBy('size')).toBe(false);
    expect(isTabBy('label:team')).toBe(true);
  });
});
