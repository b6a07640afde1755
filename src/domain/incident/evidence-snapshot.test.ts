import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  changedSince,
  draftOfChange,
  draftOfCheck,
  draftOfComponent,
  draftOfConfig,
  draftOfInsight,
  readSnapshot,
} from './evidence-snapshot.ts';

const THING = { id: 'k', name: 'api', type: 'Pod', health: 'unhealthy', status: 'Failed' };

describe('a draft', () => {
  test('of an item or a component remembers its health and status, and is called by its name', () => {
    expect(draftOfConfig(THING)).toEqual({
      type: 'config',
      description: 'api',
      config_id: 'k',
      evidence: { name: 'api', type: 'Pod', health: 'unhealthy', status: 'Failed' },
    });
    expect(draftOfComponent({ ...THING, name: null, health: null })).toEqual({
      type: 'topology',
      description: 'k',
      component_id: 'k',
      evidence: { type: 'Pod', status: 'Failed' },
    });
  });

  test('of a change or a finding names its item as well, so that the item knows its incidents', () => {
    const config = { name: 'api', type: 'Pod' };
    const change = {
      id: 'c',
      config_id: 'k',
      change_type: 'diff',
      severity: null,
      source: null,
      summary: null,
    };
    const made = draftOfChange({ ...change, created_at: null, diff: 'x'.repeat(300_000) }, config);
    expect(made).toMatchObject({ config_id: 'k', config_change_id: 'c', description: 'diff · api' });
    expect(JSON.stringify(made).length).toBeLessThan(200_000);
    expect(draftOfInsight({ id: 'i', config_id: 'k', analyzer: 'trivy' }, config)).toMatchObject({
      config_id: 'k',
      config_analysis_id: 'i',
      description: 'trivy · api',
    });
    expect(draftOfInsight({ id: 'i' }, { name: null, type: null })).not.toHaveProperty('config_id');
  });

  test('reads back as what it remembered', () => {
    const draft = draftOfCheck({
      id: 'k',
      name: 'ping',
      type: 'http',
      health: 'unhealthy',
      last_runtime: '2026-11-21T23:10:00Z',
      latencyMs: 12,
      message: 'refused',
    });
    expect(readSnapshot(draft.evidence)).toEqual({
      name: 'ping',
      type: 'http',
      health: 'unhealthy',
      last_runtime: '2026-11-21T23:10:00Z',
      latency_ms: 12,
      message: 'refused',
    });
  });
});

describe('the memory of an evidence', () => {
  test('is read whatever another client wrote', () => {
    expect(readSnapshot({ name: 5, health: 'healthy', latency_ms: 'x', more: {} })).toEqual({
      health: 'healthy',
    });
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(readSnapshot(value)).toBeTypeOf('object');
      }),
    );
  });

  test('differs from now only in what both know', () => {
    const fields = ['health', 'status'] as const;
    expect(changedSince({ health: 'healthy' }, { health: 'unhealthy', status: 'x' }, fields)).toEqual([
      'health',
    ]);
    expect(
      changedSince({ health: 'healthy', status: 'y' }, { health: 'healthy', status: null }, fields),
    ).toEqual([]);
  });
});
