import { describe, expect, test } from 'vitest';
import { createScriptEvaluator } from '../../server/platform/expressions/evaluate-script.ts';
import { firstScript, scriptTemplates } from '../../src/domain/incident/done-scripts.ts';
import { EVIDENCE_TYPES } from '../../src/domain/incident/incident.ts';

const evaluate = createScriptEvaluator({ now: () => 0, uuid: () => '0d5f1c1e-6f0a-4f0e-9d53-0f3d1a2b3c4d' });
const isTrue = (expr: string, variables: Record<string, unknown>) =>
  evaluate({ expr }, { variables, durationNames: [], lastResult: null }).isTrue;

const NOTHING = {
  check: null,
  config: null,
  component: null,
  analysis: null,
  change: null,
  incident: { status: 'open' },
  evidence: {},
};
const WELL = { status: 'healthy', health: 'healthy', deleted_at: null };
const SICK = { status: 'unhealthy', health: 'unhealthy', deleted_at: null };

/** Each type's subject, over and not over. */
const SUBJECTS: Record<string, { over: Record<string, unknown>; on: Record<string, unknown> }> = {
  check: { over: { check: WELL }, on: { check: SICK } },
  config: { over: { config: WELL }, on: { config: SICK } },
  topology: { over: { component: WELL }, on: { component: SICK } },
  config_analysis: { over: { analysis: { status: 'resolved' } }, on: { analysis: { status: 'open' } } },
  config_change: { over: { incident: { status: 'resolved' } }, on: { change: {} } },
};

describe('the scripts that a definition of done starts from', () => {
  test.each(Object.keys(SUBJECTS))('say of a %s when it is over, and when it is not', (type) => {
    const { over, on } = SUBJECTS[type] ?? { over: {}, on: {} };
    expect(isTrue(firstScript(type), { ...NOTHING, ...over })).toBe(true);
    expect(isTrue(firstScript(type), { ...NOTHING, ...on })).toBe(false);
  });

  test.each(EVIDENCE_TYPES)('are all yes or no for a %s that is not over', (type) => {
    for (const [, script] of scriptTemplates(type))
      expect(isTrue(script, { ...NOTHING, ...SUBJECTS[type]?.on })).toBe(false);
  });

  test('are none where only a person can tell', () => {
    expect([firstScript('log'), firstScript('comment'), firstScript('something new')]).toEqual(['', '', '']);
  });
});
