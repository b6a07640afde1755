import { describe, expect, it } from 'vitest';
import { isEditable, sourceOf } from './resource-source.ts';

const LOCAL = '00000000-0000-0000-0000-000000000000';
const REMOTE = '018f4e4e-0000-7000-8000-000000000001';

describe('where a resource comes from', () => {
  it.each([
    [null, 'ui'],
    ['', 'ui'],
    ['UI', 'ui'],
    ['ConfigFile', 'file'],
    ['KubernetesCRD', 'kubernetes'],
    ['kubernetes/default/x', 'kubernetes'],
    ['component/1', 'component'],
    ['Push', 'other'],
  ] as const)('%s is %s', (source, kind) => {
    expect(sourceOf(source)).toBe(kind);
  });

  it('decides whether it is edited here: only what was made here, for an agent or not', () => {
    expect(isEditable({ source: 'UI', agent_id: LOCAL })).toBe(true);
    expect(isEditable({ source: 'UI', agent_id: REMOTE })).toBe(false);
    expect(isEditable({ source: null, agent: { id: REMOTE } })).toBe(false);
    expect(isEditable({ source: 'UI', agent_id: REMOTE, created_by: 'somebody' })).toBe(true);
    expect(isEditable({ source: 'site.yaml', agent_id: REMOTE, created_by: 'somebody' })).toBe(false);
    expect(isEditable({ source: 'KubernetesCRD' })).toBe(false);
  });
});
