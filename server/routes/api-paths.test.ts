import { describe, expect, it } from 'vitest';
import { apiAddress } from './api-paths.ts';

const asked = (url: string, over: { accept?: string; isChecksOnly?: boolean } = {}) =>
  apiAddress({ url, accept: 'application/json', isChecksOnly: false, ...over });

describe('the path of a call', () => {
  it.each([
    ['/api/db/checks?id=eq.1', '/api/db/checks?id=eq.1'],
    ['/api//canary/api/summary', '/api/canary/api/summary'],
    ['//canary/api/summary', '/api/canary/api/summary'],
    ['/canary/api/topology?id=1//2?x', '/api/canary/api/topology?id=1//2?x'],
    ['/kratos/sessions/whoami', '/api/.ory/sessions/whoami'],
    ['/api/kratos/sessions/whoami', '/api/.ory/sessions/whoami'],
    ['/.ory/sessions/whoami', '/api/.ory/sessions/whoami'],
    ['/properties', '/api/properties'],
    ['/logs', '/api/logs'],
    ['/catalog/changes', '/api/catalog/changes'],
    ['/notifications/rules', '/notifications/rules'],
    ['/playbooks/runs', '/playbooks/runs'],
    ['/', '/'],
    ['//example.com/x', '/example.com/x'],
    ['/dbx', '/dbx'],
    ['/__proto__/x', '/__proto__/x'],
  ])('%s is %s', (url, expected) => {
    expect(asked(url)).toBe(expected);
  });

  it('stays a page for who asks for pages', () => {
    const accept = 'text/html,application/xhtml+xml';
    expect(asked('/catalog/changes', { accept })).toBe('/catalog/changes');
    expect(asked('/logs?topologyId=1', { accept })).toBe('/logs?topologyId=1');
    expect(asked('/api/kubeconfig', { accept })).toBe('/api/kubeconfig');
  });

  it('of a health-only deployment has no family in front', () => {
    expect(asked('//api/summary', { isChecksOnly: true })).toBe('/api/canary/api/summary');
    expect(asked('/run/check/1', { isChecksOnly: true })).toBe('/api/canary/run/check/1');
    expect(asked('/api/summary')).toBe('/api/summary');
  });
});
