import { describe, expect, it } from 'vitest';
import { incidentRuleSpecSchema } from '../../../contract/specs/incident-rule-spec.ts';
import { changedColumns, newColumns, resourceSchema, resourceValues } from './resource-form.ts';

const VALUES = {
  name: ' shop ',
  icon: 'cart',
  namespace: '',
  agent: '',
  labels: [{ key: 'app', value: 'shop' }],
  spec: 'schedule: "@every 5m"\nhttp:\n  - url: https://x.test\n',
};

describe('a new resource', () => {
  it('is of its maker, made here, in namespace default', () => {
    expect(newColumns('canaries', VALUES, 'user-1')).toEqual({
      name: 'shop',
      namespace: 'default',
      labels: { app: 'shop' },
      spec: { schedule: '@every 5m', http: [{ url: 'https://x.test' }] },
      source: 'UI',
      created_by: 'user-1',
    });
  });

  it('runs on the agent that was chosen, where its kind can', () => {
    const chosen = { ...VALUES, agent: 'agent-1' };
    expect(newColumns('canaries', chosen, 'u')).toMatchObject({ agent_id: 'agent-1' });
    expect(newColumns('config_scrapers', chosen, 'u')).toMatchObject({ agent_id: 'agent-1' });
    expect(newColumns('topologies', chosen, 'u')).not.toHaveProperty('agent_id');
  });

  it('has only the columns of its kind', () => {
    expect(Object.keys(newColumns('incident_rules', VALUES, 'u')).toSorted()).toEqual([
      'created_by',
      'name',
      'source',
      'spec',
    ]);
    expect(newColumns('teams', VALUES, 'u')).toMatchObject({ icon: 'cart' });
  });
});

describe('editing a resource', () => {
  it('starts from what is there, and changes neither name nor namespace', () => {
    const row = {
      id: '1',
      name: 'shop',
      namespace: 'ops',
      labels: { app: 'shop' },
      created_by: null,
      spec: { interval: 30 },
    };
    const values = resourceValues(row, 'canaries');
    expect(resourceSchema.safeParse(values).success).toBe(true);
    expect(changedColumns('canaries', values)).toEqual({ labels: { app: 'shop' }, spec: { interval: 30 } });
  });
});

describe('a new rule', () => {
  it('starts with an example that the server takes', () => {
    const { spec } = changedColumns('incident_rules', resourceValues(null, 'incident_rules'));
    expect(incidentRuleSpecSchema.safeParse(spec).error).toBeUndefined();
    expect(resourceValues(null, 'teams').spec).toBe('');
  });
});

describe('the form', () => {
  const problems = (change: Partial<typeof VALUES>) =>
    resourceSchema.safeParse({ ...VALUES, ...change }).error?.issues.map((issue) => issue.message);

  it('wants a name, a spec that parses, and each label once', () => {
    expect(problems({ name: ' ' })).toEqual(['This field is required']);
    expect(problems({ spec: 'a: [' })?.length).toBe(1);
    expect(problems({ spec: '- 1' })?.length).toBe(1);
    expect(
      problems({
        labels: [
          { key: 'a', value: '1' },
          { key: 'a', value: '2' },
        ],
      }),
    ).toEqual(['The label a is there twice']);
    expect(problems({})).toBeUndefined();
  });
});
