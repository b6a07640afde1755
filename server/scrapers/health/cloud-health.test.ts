import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { awsHealth, stateHealth } from './cloud-health.ts';
import { objectAt } from './health.ts';

const FOLDER = '../shared/fixtures/kubernetes';
const expected = z
  .record(
    z.string(),
    z.object({ health: z.string(), status: z.string().optional(), message: z.string().optional() }),
  )
  .parse(
    Object.fromEntries(
      Object.entries(
        z
          .record(z.string(), z.unknown())
          .parse(JSON.parse(readFileSync(join(FOLDER, 'expected.json'), 'utf8'))),
      ).filter(([file]) => file.startsWith('objects/AWS/')),
    ),
  );

/** `objects/AWS/ECS/Task/healthy.yaml` is a `AWS::ECS::Task`. */
function typeOf(file: string): string {
  const parts = file.split('/').slice(1, -1);
  return parts.length === 2 && parts[1] === 'EKS' ? 'AWS::EKS::Cluster' : parts.join('::');
}

describe('what was written down for recorded resources', () => {
  test.each(Object.entries(expected))('%s', (file, want) => {
    const config = objectAt(parse(readFileSync(join(FOLDER, file), 'utf8')));
    expect(awsHealth(typeOf(file), config)).toMatchObject(want);
  });
});

test.each([
  ['stopped', 'unknown', true],
  ['pending', 'unknown', false],
  ['UPDATE_ROLLBACK_COMPLETE', 'unhealthy', true],
  ['CREATE_COMPLETE', 'healthy', true],
  ['incompatible-parameters', 'unhealthy', true],
  ['a word of tomorrow', 'unknown', true],
])('%s is %s', (word, health, ready) => {
  expect(stateHealth(word)).toMatchObject({ health, ready });
});

test('a service of ECS with too few tasks is not well', () => {
  const service = (runningCount: number) =>
    awsHealth('AWS::ECS::Service', { status: 'ACTIVE', desiredCount: 2, runningCount });
  expect([service(2).health, service(1).health, service(0).health]).toEqual([
    'healthy',
    'warning',
    'unhealthy',
  ]);
});
