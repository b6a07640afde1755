import { describe, expect, it } from 'vitest';
import { brokenRules, IMPORT_RULES } from '../../scripts/import-rules.mjs';

const broken = (from: string, to: string) => brokenRules(from, to).map((rule: { name: string }) => rule.name);

describe('import rules', () => {
  it('let a layer import what lies below it', () => {
    expect(broken('src/features/health/page.tsx', 'src/ui/actions/Button.tsx')).toEqual([]);
    expect(broken('src/data/session/use-session.ts', 'workers/sync/api.ts')).toEqual([]);
    expect(broken('server/health/a.ts', 'src/contract/errors.ts')).toEqual([]);
  });

  it('refuse what lies above', () => {
    expect(broken('src/domain/a.ts', 'src/contract/b.ts')).toEqual(['layer-domain']);
    expect(broken('src/ui/A.tsx', 'src/data/b.ts')).toEqual(['layer-ui']);
    expect(broken('workers/sync/a.ts', 'src/data/b.ts')).toEqual(['workers-below-ui']);
    expect(broken('server/app/a.ts', 'workers/sync/api.ts')).toEqual(['server-alone']);
  });

  it('refuse side doors into a worker and between workers', () => {
    expect(broken('src/data/a.ts', 'workers/sync/engine/sync-engine.ts')).toEqual(['worker-doors']);
    expect(broken('workers/sync/a.ts', 'workers/compute/check-index.ts')).toEqual(['workers-apart']);
    expect(broken('workers/sync/a.ts', 'workers/store/row-store.ts')).toEqual([]);
  });

  it('keep features apart and React out of the data layer', () => {
    expect(broken('src/features/health/a.tsx', 'src/features/catalog/b.tsx')).toEqual(['features-apart']);
    expect(broken('src/data/client.ts', 'react')).toEqual(['data-without-react']);
    expect(broken('src/data/queries/health/use-check.ts', 'react')).toEqual([]);
  });

  it('keep tests out of programs', () => {
    expect(broken('server/app/a.ts', 'server/app/b.test.ts')).toEqual(['tests-stay-tests']);
    expect(broken('server/app/a.test.ts', 'server/platform/db/test-databases.ts')).toEqual([]);
  });
});

/** An import that each rule refuses. */
const REFUSED: Record<string, [string, string]> = {
  'layer-lib': ['src/lib/a.ts', 'src/domain/b.ts'],
  'layer-domain': ['src/domain/a.ts', 'src/contract/b.ts'],
  'layer-contract': ['src/contract/a.ts', 'src/data/b.ts'],
  'layer-data': ['src/data/a.ts', 'src/ui/B.tsx'],
  'layer-ui': ['src/ui/A.tsx', 'src/data/b.ts'],
  'layer-features': ['src/features/a/A.tsx', 'src/app/b.ts'],
  'layer-app': ['src/app/a.ts', 'server/app/b.ts'],
  'workers-below-ui': ['workers/sync/a.ts', 'src/ui/B.tsx'],
  'server-alone': ['server/health/a.ts', 'src/data/b.ts'],
  'worker-doors': ['src/data/a.ts', 'workers/sync/b.ts'],
  'workers-apart': ['workers/sync/a.ts', 'workers/compute/b.ts'],
  'features-apart': ['src/features/a/A.tsx', 'src/features/b/B.tsx'],
  'data-without-react': ['src/data/a.ts', 'react'],
  'tests-stay-tests': ['src/ui/A.tsx', 'tests/b.ts'],
  'no-junk-drawers': ['src/ui/A.tsx', 'src/ui/utils/b.ts'],
  'server-platform': ['server/platform/a.ts', 'server/access/b.ts'],
  'server-access': ['server/access/a.ts', 'server/replication/b.ts'],
  'server-replication': ['server/replication/a.ts', 'server/health/b.ts'],
  'server-areas': ['server/health/a.ts', 'server/http/b.ts'],
  'server-http': ['server/http/a.ts', 'server/health/b.ts'],
  'server-tree': ['server/checks/a.ts', 'server/platform/logger.ts'],
  'server-areas-apart-health': ['server/health/a.ts', 'server/catalog/search/summary-query.ts'],
  'server-areas-apart-catalog': ['server/catalog/a.ts', 'server/health/b.ts'],
  'server-areas-apart-incidents': ['server/incidents/a.ts', 'server/connections/connection-routes.ts'],
  'server-areas-apart-topology': ['server/topology/a.ts', 'server/health/running/run-lookup.ts'],
  'server-areas-apart-playbooks': ['server/playbooks/a.ts', 'server/connections/connection-test.ts'],
  'server-areas-apart-connections': ['server/connections/a.ts', 'server/health/b.ts'],
  'server-areas-apart-notifications': ['server/notifications/a.ts', 'server/incidents/b.ts'],
  'server-areas-apart-agents': ['server/agents/a.ts', 'server/health/b.ts'],
  'server-areas-apart-logs': ['server/logs/a.ts', 'server/catalog/b.ts'],
  'server-areas-apart-properties': ['server/properties/a.ts', 'server/health/b.ts'],
  'server-areas-apart-integrations': ['server/integrations/a.ts', 'server/health/b.ts'],
  'server-areas-apart-tablets': ['server/tablets/a.ts', 'server/health/b.ts'],
  'server-areas-apart-walls': ['server/walls/a.ts', 'server/health/b.ts'],
};

describe('the import rules', () => {
  it('have an example each', () => {
    expect(Object.keys(REFUSED).toSorted()).toEqual(IMPORT_RULES.map(({ name }) => name).toSorted());
  });

  it.each(Object.entries(REFUSED))('%s can fail', (name, [from, to]) => {
    expect(broken(from, to)).toContain(name);
  });
});

describe('the layers of the server', () => {
  it('are imported downwards', () => {
    expect(broken('server/app/a.ts', 'server/http/b.ts')).toEqual([]);
    expect(broken('server/app/a.ts', 'server/health/b.ts')).toEqual([]);
    expect(broken('server/http/a.ts', 'server/access/b.ts')).toEqual([]);
    expect(broken('server/health/a.ts', 'server/replication/b.ts')).toEqual([]);
    expect(broken('server/replication/a.ts', 'server/access/b.ts')).toEqual([]);
    expect(broken('server/access/a.ts', 'server/platform/b.ts')).toEqual([]);
  });

  it('are open to tests, which span them', () => {
    expect(broken('server/platform/db/a.test.ts', 'server/app/transfer/b.ts')).toEqual([]);
    expect(broken('server/incidents/responders/testing/a.ts', 'server/app/event-parts.ts')).toEqual([]);
  });

  it('let an area use the named doors of another', () => {
    expect(broken('server/health/a.ts', 'server/connections/secret-scope.ts')).toEqual([]);
    expect(broken('server/incidents/rules/a.ts', 'server/catalog/search/selector-query.ts')).toEqual([]);
    expect(broken('server/playbooks/a.ts', 'server/catalog/search/selector-query.ts')).toEqual([]);
    expect(broken('server/incidents/a.ts', 'server/catalog/scrapers/b.ts')).toEqual([
      'server-areas-apart-incidents',
    ]);
  });
});
