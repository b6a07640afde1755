import fc from 'fast-check';
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
    for (const page of [
      '/',
      '/health',
      '/settings/agents',
      '/notifications/rules',
      '/playbooks/runs',
      '/error',
    ]) {
      expect(asked(page, { accept })).toBe(page);
    }
  });

  it('without a page of its own is the API for browsers, too: links, downloads, redirects after forms', () => {
    const families =
      `.ory agent artifacts auth canary connection db kratos kubeconfig kubeproxy notification people
      playbook properties push rbac resources schemas snapshot upstream`.split(/\s+/);
    const rest = fc.array(fc.stringMatching(/^[\w-]{1,8}$/), { maxLength: 3 });
    const accept = fc.constantFrom(
      'text/html',
      'text/html,application/xhtml+xml,*/*;q=0.8',
      'application/json',
      '',
    );
    fc.assert(
      fc.property(fc.constantFrom(...families), rest, accept, (family, parts, accepted) => {
        const own = ['', family, ...parts].join('/');
        const known = ['/api', family === 'kratos' ? '.ory' : family, ...parts].join('/');
        expect(asked(`${own}?x=1`, { accept: accepted })).toBe(`${known}?x=1`);
      }),
    );
  });

  it('of a health-only deployment has no family in front', () => {
    expect(asked('//api/summary', { isChecksOnly: true })).toBe('/api/canary/api/summary');
    expect(asked('/run/check/1', { isChecksOnly: true })).toBe('/api/canary/run/check/1');
    expect(asked('/api/summary')).toBe('/api/summary');
  });
});
