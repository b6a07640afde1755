/** Recorded lists of a cluster become components by the functions that scripts of topologies call. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createScriptEvaluator } from '../../platform/expressions/evaluate-script.ts';
import { componentsOf } from './read-output.ts';

const evaluate = createScriptEvaluator({ now: () => 0, uuid: () => '' });
const listSchema = z.object({
  items: z.array(
    z.looseObject({ metadata: z.looseObject({ annotations: z.record(z.string(), z.string()).nullish() }) }),
  ),
});

/** As a check of the cluster finds them: each with what was judged of it. */
function found(file: string): object[] {
  const text = readFileSync(`../shared/fixtures/kubernetes/lists/${file}`, 'utf8');
  return listSchema.parse(JSON.parse(text)).items.map((item) => ({
    Object: item,
    health: item.metadata.annotations?.['expected-health'] ?? 'unknown',
    status: item.metadata.annotations?.['expected-status'] ?? '',
    ready: true,
  }));
}

/** As the fixture k8s-system.yaml calls it. */
function componentsBy(call: string, results: unknown) {
  const { text } = evaluate(
    { javascript: `JSON.stringify(k8s.${call}(results))` },
    { variables: { results }, durationNames: [], lastResult: null },
  );
  const problems: string[] = [];
  const drafts = componentsOf(text, (problem) => problems.push(problem)) ?? [];
  expect(problems).toEqual([]);
  return drafts;
}

test('nodes come with how they are, where they stand and how much they have', () => {
  const nodes = componentsBy('getNodeTopology', found('nodes.json'));
  expect(nodes).toHaveLength(3);
  expect(nodes[0]).toMatchObject({
    name: 'gk3-infra-cluster-pool-2-be3fcd50-lzd5',
    type: 'KubernetesNode',
    health: 'healthy',
    status: 'Running',
  });
  expect(nodes[0]?.properties).toEqual([
    { name: 'cpu', max: 4000, unit: 'millicores', headline: true },
    { name: 'memory', max: 16_778_743_808, unit: 'bytes', headline: true },
    { name: 'ephemeral-storage', max: 101_203_873_792, unit: 'bytes' },
    { name: 'zone', text: 'europe-west2-c' },
    { name: 'ip', text: '10.208.7.195' },
    { name: 'version', text: 'v1.30.5-gke.1443001' },
    { name: 'os', text: 'Container-Optimized OS from Google' },
  ]);
});

test('pods come with their namespace, node and limits', () => {
  const results = found('pods.json');
  const pods = componentsBy('getPodTopology', results);
  expect(pods.map(({ name }) => name)).toHaveLength(results.length);
  for (const pod of pods) {
    expect(pod).toMatchObject({ type: 'KubernetesPod', externalId: `${pod.namespace}/${pod.name}` });
    expect(pod.properties.map(({ name }) => name)).toContain('image');
  }
});

test('of anything else there is none, and a variable of that name is what the script means', () => {
  expect(componentsBy('getPodTopology', null)).toEqual([]);
  expect(componentsBy('getNodeTopology', [1, 'text', { metadata: {} }])).toEqual([]);
  const variables = { k8s: { name: 'mine' } };
  expect(evaluate({ javascript: 'k8s.name' }, { variables, durationNames: [], lastResult: null }).text).toBe(
    'mine',
  );
});
