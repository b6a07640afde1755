import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { awsHealth } from './aws-health.ts';
import { azureHealth, gcpHealth } from './cloud-health.ts';
import { objectAt } from './health.ts';
import { stateHealth } from './status-words.ts';

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
  ['shutting-down', 'unknown', false],
  ['UPDATE_ROLLBACK_COMPLETE', 'warning', true],
  ['UPDATE_ROLLBACK_FAILED', 'unhealthy', true],
  ['CREATE_COMPLETE', 'healthy', true],
  ['active_impaired', 'warning', true],
  ['backing-up', 'healthy', false],
  ['maintenance', 'warning', false],
  ['insufficient-capacity', 'unhealthy', true],
  ['incompatible-parameters', 'unhealthy', true],
  ['INACCESSIBLE_ENCRYPTION_CREDENTIALS', 'unhealthy', true],
  ['configuring-log-exports', 'healthy', false],
  ['storage-full', 'unhealthy', true],
  ['a word of tomorrow', 'unknown', false],
])('%s is %s', (word, health, ready) => {
  expect(stateHealth(word)).toMatchObject({ health, ready });
});

describe('services that say more than a word', () => {
  const service = (runningCount: number) =>
    awsHealth('AWS::ECS::Service', { status: 'ACTIVE', desiredCount: 2, runningCount });
  const stopped = (StopCode: string, StoppedReason: string) =>
    awsHealth('AWS::ECS::Task', { LastStatus: 'STOPPED', StopCode, StoppedReason });

  test('a service of ECS with too few tasks is not well', () => {
    expect([service(2).health, service(1).health, service(0).health]).toEqual([
      'healthy',
      'warning',
      'unhealthy',
    ]);
  });

  test.each([
    [
      'TaskFailedToStart',
      'CannotPullContainerError: no such image',
      'unhealthy',
      'CannotPullContainerError',
      'no such image',
    ],
    ['TaskFailedToStart', 'no capacity', 'unhealthy', 'TaskFailedToStart', 'no capacity'],
    [
      'EssentialContainerExited',
      'Essential container in task exited',
      'unhealthy',
      'Crashed',
      'Essential container in task exited',
    ],
    ['UserInitiated', '', 'unknown', 'Stopped', ''],
    [
      'ServiceSchedulerInitiated',
      'Scaling activity initiated by deployment',
      'unknown',
      'Terminating',
      'Scaling activity initiated by deployment',
    ],
    [
      'SpotInterruption',
      'SpotInterruptionError: taken back',
      'warning',
      'SpotInterruptionError',
      'taken back',
    ],
  ])('a task that was stopped with %s (%s)', (code, reason, health, status, message) => {
    expect(stopped(code, reason)).toMatchObject({ health, status, message });
  });

  test.each([
    ['AWS::RDS::DBInstance', { DBInstanceStatus: 'storage-full' }, 'unhealthy', 'Storage Full'],
    [
      'AWS::ElasticLoadBalancing::LoadBalancer',
      { State: { Code: 'active_impaired' } },
      'warning',
      'Active Impaired',
    ],
    ['AWS::EC2::Instance', { State: { Name: 'shutting-down' } }, 'unknown', 'Shutting Down'],
    [
      'AWS::Lambda::Function',
      { State: 'Failed', StateReasonCode: 'EniLimitExceeded' },
      'unhealthy',
      'Failed',
    ],
    ['AWS::Lambda::Function', { State: 'Active', LastUpdateStatus: 'Failed' }, 'warning', 'Update Failed'],
    ['AWS::DynamoDB::Table', { TableStatus: 'ACTIVE' }, 'healthy', 'Active'],
    [
      'AWS::ElastiCache::CacheCluster',
      { CacheClusterStatus: 'restore-failed' },
      'unhealthy',
      'Restore Failed',
    ],
    [
      'AWS::EKS::Cluster',
      { Status: 'ACTIVE', Health: { Issues: [{ Message: 'm' }] } },
      'unhealthy',
      'Active',
    ],
  ])('%s %j', (type, config, health, status) => {
    expect(awsHealth(type, config)).toMatchObject({ health, status });
  });

  test.each([
    ['GCP::Compute::Disk', { status: 'READY', sizeGb: '10' }, 'healthy', 'Ready', '10 GB'],
    ['GCP::Compute::Disk', { status: 'RESTORING' }, 'warning', 'Restoring', ''],
    [
      'GCP::Compute::InstanceGroupManager',
      { status: { isStable: false }, targetSize: 3 },
      'unhealthy',
      'Degraded',
      '3 instances',
    ],
    [
      'GCP::Compute::InstanceGroupManager',
      { status: { isStable: true } },
      'healthy',
      'Ready',
      'scaled to zero',
    ],
    [
      'GCP::Sqladmin::Instance',
      { state: 'RUNNABLE', databaseVersion: 'POSTGRES_16', settings: { dataDiskSizeGb: '500' } },
      'healthy',
      'Ready',
      'POSTGRES_16 (500 GB)',
    ],
    ['GCP::Sqladmin::Instance', { state: 'SUSPENDED' }, 'warning', 'Suspended', ''],
    ['GCP::Compute::Instance', { status: 'TERMINATED' }, 'unknown', 'Terminated', ''],
  ])('%s %j', (type, config, health, status, message) => {
    expect(gcpHealth(type, config)).toMatchObject({ health, status, message });
  });

  test.each([
    ['2024-06-30T00:00:00Z', 'unhealthy', 'Expired', 'ClientSecret has expired'],
    ['2024-07-15T00:00:00Z', 'warning', 'Expiring', 'ClientSecret is expiring in 14d'],
    ['2025-07-15T00:00:00Z', 'healthy', 'Healthy', 'ClientSecret is valid'],
    ['soon', 'unknown', '', 'soon is not a valid date time'],
    ['', 'unknown', '', 'End date time is not set'],
  ])('a secret of an application that ends %s', (endDateTime, health, status, message) => {
    const now = new Date('2024-07-01T00:00:00Z');
    const found = azureHealth('Azure::AppRegistration::ClientSecret', { endDateTime }, now);
    expect(found).toMatchObject({ health, status, message });
  });

  test('anything else of Azure by the state of its provisioning', () => {
    const of = (provisioningState: string) =>
      azureHealth('Azure::Compute/virtualMachines', { properties: { provisioningState } }, new Date()).health;
    expect(['Succeeded', 'Failed', 'Canceled', 'Creating'].map(of)).toEqual([
      'healthy',
      'unhealthy',
      'warning',
      'unknown',
    ]);
  });
});
