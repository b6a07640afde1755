/** Every recorded object gives the health, status, readiness and message that were written down for it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { nextRunOf } from '../kinds/kubernetes/next-run-of.ts';
import { kubernetesHealth } from './kubernetes-health.ts';

const FOLDER = '../shared/fixtures/kubernetes';
const NOW = new Date('2026-08-21T06:30:00Z');
const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `@now-1h` becomes a moment relative to the test's now. */
function atNow(text: string, now: Date): string {
  return text.replaceAll(/@now(?:-(\d+)([mhd]))?/g, (_all, amount?: string, unit?: string) =>
    new Date(now.getTime() - Number(amount ?? 0) * (UNITS[unit ?? ''] ?? 0)).toISOString(),
  );
}
const objectOf = (file: string): unknown =>
  // Two of the recorded documents name a key twice; the last counts, as it does for a cluster.
  parse(atNow(readFileSync(join(FOLDER, file), 'utf8'), NOW), { uniqueKeys: false });
const moment = { now: NOW, nextRun: nextRunOf };

const expected = z
  .record(
    z.string(),
    z.object({
      health: z.string().optional(),
      status: z.string().optional(),
      ready: z.boolean().optional(),
      message: z.string().optional(),
    }),
  )
  .parse(JSON.parse(readFileSync(join(FOLDER, 'expected.json'), 'utf8')));
const ours = Object.entries(expected).filter(([file]) => !file.startsWith('objects/AWS/'));

describe('what was written down for recorded objects', () => {
  test.each(ours)('%s', (file, want) => {
    expect(kubernetesHealth(objectOf(file), moment)).toMatchObject(want);
  });
});

const WITHOUT_EXPECTATION: Record<string, [string, string]> = {
  'misc/certificate-expired.yaml': ['unhealthy', 'Expired'],
  'misc/certificate-renewal.yaml': ['unhealthy', 'Expired'],
  'misc/daemonset-ondelete.yaml': ['healthy', 'Running'],
  'misc/flux-helmrelease-healthy.yaml': ['healthy', 'ReconciliationSucceeded'],
  'misc/flux-helmrelease-unhealthy.yaml': ['unhealthy', 'UpgradeFailed'],
  'misc/flux-helmrelease-upgradefailed.yaml': ['unhealthy', 'UpgradeFailed'],
  'misc/flux-helmrepository-unhealthy.yaml': ['unhealthy', 'Failed'],
  'misc/flux-kustomization-failed.yaml': ['unhealthy', 'BuildFailed'],
  'misc/flux-kustomization-unhealthy.yaml': ['unknown', 'Progressing'],
  'misc/hpa-v1-degraded.yaml': ['unhealthy', 'Degraded'],
  'misc/hpa-v1-healthy.yaml': ['healthy', 'Healthy'],
  'misc/hpa-v1-healthy-toofew.yaml': ['healthy', 'Healthy'],
  'misc/hpa-v1-progressing-with-no-annotations.yaml': ['healthy', 'Progressing'],
  'misc/hpa-v2-degraded.yaml': ['unhealthy', 'Degraded'],
  'misc/hpa-v2-progressing.yaml': ['healthy', 'Progressing'],
  'misc/ingress-nonemptylist.yaml': ['healthy', 'Healthy'],
  'misc/namespace-terminating.yaml': ['unknown', 'Terminating'],
  'misc/namespace.yaml': ['unknown', 'Active'],
  'misc/pvc-bound.yaml': ['healthy', 'Healthy'],
  'misc/pvc-pending.yaml': ['healthy', 'Progressing'],
  'misc/svc-loadbalancer-nonemptylist.yaml': ['healthy', 'Running'],
  'misc/svc-loadbalancer-unassigned.yaml': ['unhealthy', 'Creating'],
  'Pod/pod-crashed-once.yaml': ['warning', 'Running'],
  'Job/job-suspended.yaml': ['unknown', 'Suspended'],
};

describe('recorded objects for which the published tests or rules say what they are', () => {
  test.each(Object.entries(WITHOUT_EXPECTATION))('%s', (file, [health, status]) => {
    expect(kubernetesHealth(objectOf(`objects/${file}`), moment)).toMatchObject({ health, status });
  });

  test('no object of the collection, nor anything that is none, makes it throw', () => {
    const files = fastGlob.globSync('objects/**/*.yaml', { cwd: FOLDER });
    expect(files.length).toBeGreaterThan(80);
    for (const file of files) kubernetesHealth(objectOf(file), moment);
    for (const odd of [null, 7, 'x', [], {}, { kind: 'Pod', status: 3 }, { kind: '__proto__' }])
      expect(kubernetesHealth(odd, moment).health).toBe('unknown');
  });
});

describe('time', () => {
  const after = (minutes: number) => ({ ...moment, now: new Date(NOW.getTime() + minutes * 60_000) });
  const metadata = { deletionTimestamp: NOW.toISOString() };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata };
  const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, status: { phase: 'Bound' } };

  test('a pod that is being deleted is terminating, then stuck, then stalled', () => {
    expect(kubernetesHealth(pod, moment)).toMatchObject({ status: 'Terminating', health: 'unknown' });
    expect(kubernetesHealth(pod, after(20))).toMatchObject({
      status: 'Terminating',
      health: 'warning',
      message: "stuck in 'Terminating' for 20m0s",
    });
    expect(kubernetesHealth(pod, after(60))).toMatchObject({
      status: 'TerminatingStalled',
      health: 'warning',
      message: 'terminating for 1h',
    });
  });

  test('anything else keeps its health until the deletion stalls', () => {
    expect(kubernetesHealth(claim, after(20))).toMatchObject({ status: 'Terminating', health: 'healthy' });
    expect(kubernetesHealth(claim, after(60))).toMatchObject({ status: 'TerminatingStalled' });
  });
});
