import { describe, expect, test } from 'vitest';
import { COMPUTE_ACTIONS } from '../src/contract/actions/compute-actions.ts';
import { SYNC_ACTIONS, type SyncActions } from '../src/contract/actions/sync-actions.ts';
import { AppError } from '../src/contract/errors.ts';
import { createAct } from './act.ts';
import { computeActions, type ComputeService } from './compute/compute-service.ts';
import { actionHandlers } from './sync/actions/action-handlers.ts';
import type { SyncService } from './sync/sync-service.ts';

/** A service that does nothing but say what was asked of it. */
function idleService<Service>(calls: unknown[]): Service {
  const record = (name: string) =>
    new Proxy(async () => null, {
      apply: (_, __, args) => {
        calls.push([name, ...args]);
        return Promise.resolve({ ok: true, value: null, field: null });
      },
      get: (_, part) => record(`${name}.${String(part)}`),
    });
  return new Proxy({}, { get: (_, name) => record(String(name)) }) as Service;
}

test('every action of the registries is done by its worker, and nothing else is', () => {
  expect(Object.keys(actionHandlers(idleService<SyncService>([]))).toSorted()).toEqual(
    Object.keys(SYNC_ACTIONS).toSorted(),
  );
  expect(Object.keys(computeActions(idleService<ComputeService>([]))).toSorted()).toEqual(
    Object.keys(COMPUTE_ACTIONS).toSorted(),
  );
});

describe('an action', () => {
  const calls: unknown[] = [];
  const act = createAct(SYNC_ACTIONS, actionHandlers(idleService<SyncService>(calls)));

  test('gets its parsed arguments', async () => {
    expect(await act('run-check', { checkId: 'a' })).toMatchObject({ ok: true });
    expect(calls).toEqual([['runCheck', 'a']]);
  });

  test('with arguments that make no sense is refused and not done', async () => {
    calls.length = 0;
    const refused = await act('write-draft', { key: 'a', text: 7 } as never);
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid' } });
    expect(refused.ok ? '' : refused.error.message).toContain('text');
    expect(calls).toEqual([]);
  });

  test('that is not known, as a page of another version may ask, is refused', async () => {
    const refused = await act('delete-everything' as keyof SyncActions, {} as never);
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid' } });
  });

  test('that fails answers with why', async () => {
    const service = {
      runCheck: () => Promise.reject(new AppError('network', 'no line', { retryable: true })),
    };
    const failing = createAct(SYNC_ACTIONS, actionHandlers(service as unknown as SyncService));
    expect(await failing('run-check', { checkId: 'a' })).toEqual({
      ok: false,
      error: { code: 'network', message: 'no line', retryable: true, status: null },
    });
  });
});
