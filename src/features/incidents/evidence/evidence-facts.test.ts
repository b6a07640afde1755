import { describe, expect, it } from 'vitest';
import { EVIDENCE_TYPES } from '../../../domain/incident/incident.ts';
import { subjectOf, type EvidenceFacts } from './evidence-facts.ts';

const NOTHING: EvidenceFacts = {
  type: 'comment',
  description: '',
  evidence: null,
  attachedAt: null,
  configId: null,
  changeId: null,
  insightId: null,
  componentId: null,
  checkId: null,
};

describe('the subject of an evidence', () => {
  it.each(EVIDENCE_TYPES)('of type %s is what the type says, whatever else it refers to', (type) => {
    expect(subjectOf({ ...NOTHING, type, configId: 'c', componentId: 'p' })).toBe(type);
  });

  it.each([
    ['component', { componentId: 'p' }, 'topology'],
    ['canary', { checkId: 'k', configId: 'c' }, 'check'],
    ['insight', { insightId: 'i', configId: 'c' }, 'config_analysis'],
    ['change', { changeId: 'x', configId: 'c' }, 'config_change'],
    ['catalog', { configId: 'c' }, 'config'],
    ['component', {}, 'component'],
  ])('of an unknown type %s is what it refers to: %j', (type, refers, subject) => {
    expect(subjectOf({ ...NOTHING, type, ...refers })).toBe(subject);
  });
});
