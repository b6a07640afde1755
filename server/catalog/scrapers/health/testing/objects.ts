/** Objects of clusters by hand, and what the published rules say of them. */
import { expect, test } from 'vitest';
import { nextRunOf } from '../../kinds/kubernetes/next-run-of.ts';
import type { Json } from '../health.ts';
import { kubernetesHealth } from '../kubernetes-health.ts';

export const NOW = new Date('2026-08-21T06:30:00Z');
export const MOMENT = { now: NOW, nextRun: nextRunOf };
export const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000).toISOString();

type Row = [name: string, object: Json, health: string, status: string, message?: string];

/** `of('apps/v1 Deployment', {...})`: an object that is a day old. */
export function of(what: string, rest: Json, metadata: Json = {}): Json {
  const [apiVersion, kind] = what.split(' ');
  return { apiVersion, kind, metadata: { creationTimestamp: ago(24 * 60), ...metadata }, ...rest };
}

/** A status with one condition, `Ready`. */
export const ready = (status: string, reason = '', message = '') => ({
  status: { conditions: [{ type: 'Ready', status, reason, message }] },
});

/** One test a row: the object gives the health, status and (where given) message. */
export function check(rows: readonly Row[]): void {
  test.each(rows)('%s', (...row) => {
    const [, object, health, status, message] = row;
    const found = kubernetesHealth(object, MOMENT);
    expect(found).toMatchObject({ health, status, ...(message === undefined ? {} : { message }) });
  });
}
