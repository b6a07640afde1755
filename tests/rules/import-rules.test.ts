import { describe, expect, it } from 'vitest';
import { brokenRules } from '../../scripts/import-rules.mjs';

const broken = (from: string, to: string) => brokenRules(from, to).map((rule: { name: string }) => rule.name);

describe('import rules', () => {
  it('let a layer import what lies below it', () => {
    expect(broken('src/features/health/page.tsx', 'src/ui/Button.tsx')).toEqual([]);
    expect(broken('src/data/use-session.ts', 'workers/sync/api.ts')).toEqual([]);
    expect(broken('server/health/a.ts', 'src/contract/errors.ts')).toEqual([]);
  });

  it('refuse what lies above', () => {
    expect(broken('src/domain/a.ts', 'src/contract/b.ts')).toEqual(['layer-domain']);
    expect(broken('src/ui/A.tsx', 'src/data/b.ts')).toEqual(['layer-ui']);
    expect(broken('workers/sync/a.ts', 'src/data/b.ts')).toEqual(['workers-below-ui']);
    expect(broken('server/a.ts', 'workers/sync/api.ts')).toEqual(['server-alone']);
  });

  it('refuse side doors into a worker and between workers', () => {
    expect(broken('src/data/a.ts', 'workers/sync/sync-engine.ts')).toEqual(['worker-doors']);
    expect(broken('workers/sync/a.ts', 'workers/compute/check-index.ts')).toEqual(['workers-apart']);
    expect(broken('workers/sync/a.ts', 'workers/store/row-store.ts')).toEqual([]);
  });

  it('keep features apart and React out of the data layer', () => {
    expect(broken('src/features/health/a.tsx', 'src/features/catalog/b.tsx')).toEqual(['features-apart']);
    expect(broken('src/data/client.ts', 'react')).toEqual(['data-without-react']);
    expect(broken('src/data/use-check.ts', 'react')).toEqual([]);
  });

  it('keep tests out of programs', () => {
    expect(broken('server/a.ts', 'server/b.test.ts')).toEqual(['tests-stay-tests']);
    expect(broken('server/a.test.ts', 'server/platform/db/test-databases.ts')).toEqual([]);
  });
});
