/**
 * A component is the same on the server and on a device (schema §6.5): the same rows, once as the server's job rolls
 * them up and stores what it found, once as a device reads them from its replica.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReplicatedRow } from '../../src/contract/collections.ts';
import type { HealthState } from '../../src/domain/check/health.ts';
import type { Component, RolledUp } from '../../src/domain/topology/component.ts';
import { judgedHealth, shownRollUp } from '../../src/domain/topology/component-health.ts';
import { childIdsOf, rollUp, type StatusExpressions } from '../../src/domain/topology/roll-up.ts';
import { CollectionIndex } from '../../src/contract/row-index/collection-index.ts';
import { TopologyModel } from '../../workers/compute/topology/topology-model.ts';

const ids = Array.from({ length: 12 }, (_, at) => `c${at}`);
const someId = fc.constantFrom(...ids);
const word = fc.constantFrom('healthy', 'unhealthy', 'warning', 'info', 'unknown', 'Running', '');
const few = fc.nat(3);
const checkState = fc.constantFrom<HealthState>('healthy', 'unhealthy', 'unknown');

/** Trees with relations and circles, expressions that read what is under them or break, checks and findings. */
const drafts = fc.uniqueArray(
  fc.record({
    id: someId,
    parent_id: fc.option(someId),
    status: word,
    health: fc.option(word),
    status_expr: fc.option(fc.constantFrom('counts', 'fixed', 'breaks', 'empty'), { freq: 3 }),
    health_expr: fc.option(fc.constantFrom('counts', 'fixed', 'breaks', 'empty'), { freq: 3 }),
    checks: fc.array(checkState, { maxLength: 3 }),
    incidents: fc.option(fc.record({ availability: fc.record({ high: few }) })),
    analysis: fc.option(fc.record({ security: fc.record({ low: few }) })),
    children: fc.option(fc.uniqueArray(someId, { maxLength: 3 })),
    own_summary: fc.option(fc.record({ healthy: few, unhealthy: few }), { freq: 6 }),
  }),
  { selector: ({ id }) => id, maxLength: ids.length },
);

const said = (expr: string | null, unhealthy: number): string | null => {
  if (expr === 'counts') return unhealthy > 0 ? 'warning' : 'healthy';
  return expr === 'fixed' ? 'unhealthy' : null;
};
const judge: StatusExpressions = async ({ status_expr: status, health_expr: health }, { unhealthy = 0 }) => ({
  status: said(status, unhealthy),
  health: said(health, unhealthy),
});

type Draft = Omit<Component, 'name' | 'type' | 'checks'> & { checks: readonly HealthState[] };

function countsOf(states: readonly HealthState[]): Record<string, number> | null {
  if (states.length === 0) return null;
  const counts: Record<string, number> = {};
  for (const state of states) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

const componentOf = (draft: Draft): Component => ({
  ...draft,
  name: draft.id,
  type: null,
  checks: countsOf(draft.checks),
});

/** As the feed has it after the server's roll-up (view `feed_components`). */
function replicaRowOf(draft: Draft, stored: { status: string; health: string | null }): ReplicatedRow {
  return {
    ...componentOf(draft),
    check_ids: draft.checks.map((_state, at) => `${draft.id}/${at}`),
    judged_status: draft.status_expr === null ? null : stored.status,
    judged_health: draft.health_expr === null ? null : stored.health,
  };
}

/** A device with these rows and checks. */
function deviceWith(rows: readonly ReplicatedRow[], checks: ReadonlyMap<string, HealthState>): TopologyModel {
  const index = new CollectionIndex('components', {
    shown: (row) => (row === null ? null : { row, pending: 'none' }),
    touchedIds: () => [],
  });
  index.apply({ upserts: rows, deletedIds: [] });
  const attend = () => ({ source: { index, isLoaded: () => true }, leave: () => {} });
  const follow = () => () => {};
  return new TopologyModel(
    { attend },
    { stateOf: (id) => checks.get(id), isLoaded: () => true, follow },
    () => {},
  );
}

/** What is seen of it: what nobody judged is stored as not known. */
const seen = (rolled: RolledUp | undefined, draft: Draft) =>
  rolled && {
    summary: rolled.summary,
    status: rolled.status,
    health: judgedHealth(rolled, componentOf(draft)),
    shown: shownRollUp(rolled, draft),
  };

test('what the server stores of components is what a device makes of their rows, trees and circles alike', async () => {
  await fc.assert(
    fc.asyncProperty(drafts, async (some) => {
      const components = some.map(componentOf);
      const onServer = await rollUp(components, childIdsOf(components), judge);
      const rows = some.map((draft) => {
        const rolled = onServer.get(draft.id);
        if (rolled === undefined) throw new Error(`${draft.id} was not rolled up`);
        return replicaRowOf(draft, {
          status: rolled.status,
          health: judgedHealth(rolled, componentOf(draft)),
        });
      });
      const checks = new Map(
        some.flatMap(({ id, checks: states }) => states.map((state, at) => [`${id}/${at}`, state] as const)),
      );
      const device = deviceWith(rows, checks);
      for (const draft of some)
        expect(seen(device.rolled(draft.id), draft)).toEqual(seen(onServer.get(draft.id), draft));
    }),
    { numRuns: 300 },
  );
});
