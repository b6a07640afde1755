import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Component, RolledUp } from './component.ts';
import { childIdsOf, reachableFrom, rollUp, statusWords } from './roll-up.ts';
import type { StatusExpressions } from './roll-up.ts';

const silent: StatusExpressions = () => Promise.resolve({ health: null, status: null });

function component(id: string, over: Partial<Component> = {}): Component {
  return {
    id,
    name: id,
    parent_id: null,
    type: 'Application',
    status: 'healthy',
    health: null,
    status_expr: null,
    health_expr: null,
    checks: null,
    incidents: null,
    analysis: null,
    children: null,
    ...over,
  };
}

const roll = (components: Component[], judge = silent) => rollUp(components, childIdsOf(components), judge);

/** Trees whose parents come before their children, with checks and findings here and there. */
const forest = fc
  .array(
    fc.record({
      parent: fc.nat(100),
      isRoot: fc.boolean(),
      status: fc.constantFrom('healthy', 'unhealthy', 'warning', 'info', 'unknown'),
      checks: fc.option(fc.record({ healthy: fc.nat(5), unhealthy: fc.nat(5) })),
      severity: fc.option(fc.constantFrom('high', 'low')),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((drafts) =>
    drafts.map((draft, at) =>
      component(`c${at}`, {
        parent_id: draft.isRoot || at === 0 ? null : `c${draft.parent % at}`,
        status: draft.status,
        checks: draft.checks,
        analysis: draft.severity === null ? null : { security: { [draft.severity]: 1 } },
      }),
    ),
  );

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
const valuesOf = (rolled: Map<string, RolledUp>, components: Component[]) =>
  components.map(({ id }) => rolled.get(id)).filter((value) => value !== undefined);

describe('the roll-up', () => {
  it('of a leaf counts its own status, of a parent each child once', async () => {
    const rolled = await roll([
      component('root'),
      component('api', { parent_id: 'root' }),
      component('ui', { parent_id: 'root' }),
      component('worker', { parent_id: 'api' }),
      component('db', { parent_id: 'api', status: 'unhealthy' }),
    ]);
    expect(rolled.get('db')?.summary).toEqual({ unhealthy: 1 });
    expect(rolled.get('api')?.summary).toEqual({ healthy: 1, unhealthy: 1 });
    expect(rolled.get('root')?.summary).toEqual({ healthy: 1, warning: 1 });
    expect(rolled.get('root')).toMatchObject({ health: 'unhealthy', status: 'healthy' });
  });

  it('of a leaf whose status is no level counts its health, else its checks', async () => {
    const rolled = await roll([
      component('root'),
      component('pod', { parent_id: 'root', status: 'Running', health: 'healthy' }),
      component('odd', {
        parent_id: 'root',
        status: 'Running',
        health: 'Progressing',
        checks: { unhealthy: 1 },
      }),
      component('silent', { parent_id: 'root', status: 'Running' }),
      component('said', { parent_id: 'root', status: 'info', health: 'healthy' }),
    ]);
    expect(rolled.get('pod')).toMatchObject({
      summary: { healthy: 1 },
      status: 'Running',
      health: 'healthy',
    });
    expect(rolled.get('odd')?.summary).toMatchObject({ unhealthy: 1 });
    expect(rolled.get('silent')?.summary).toEqual({});
    expect(rolled.get('root')?.summary).toMatchObject({ healthy: 1, unhealthy: 1, info: 1 });
  });

  it('counts unhealthy checks as ill health', async () => {
    const rolled = await roll([component('a', { health: 'healthy', checks: { unhealthy: 1 } })]);
    expect(rolled.get('a')?.health).toBe('unhealthy');
  });

  it('shows a component under every parent that selects it', async () => {
    const rolled = await roll([
      component('left', { children: ['shared'] }),
      component('right', { children: ['shared'] }),
      component('shared', { status: 'unhealthy' }),
    ]);
    expect(rolled.get('left')?.summary).toEqual({ unhealthy: 1 });
    expect(rolled.get('right')?.health).toBe('unhealthy');
  });

  it('ends where selectors go in a circle', async () => {
    const components = [
      component('a', { children: ['b'] }),
      component('b', { children: ['a', 'b', 'nowhere'] }),
    ];
    expect((await roll(components)).size).toBe(2);
    expect(reachableFrom('a', childIdsOf(components))).toEqual(new Set(['a', 'b']));
  });

  it('lets expressions decide health and status, and asks only where there are some', async () => {
    const asked: string[] = [];
    const judge: StatusExpressions = (one, summary) => {
      asked.push(`${one.id}:${summary.healthy ?? 0}`);
      return Promise.resolve({ health: 'warning', status: null });
    };
    const rolled = await roll(
      [component('root', { health_expr: 'x' }), component('leaf', { parent_id: 'root' })],
      judge,
    );
    expect(asked).toEqual(['root:1']);
    expect(rolled.get('root')).toMatchObject({ health: 'warning', status: 'healthy' });
  });

  it('is a warning as well where good and bad meet', async () => {
    const rolled = await roll([
      component('root'),
      component('a', { parent_id: 'root' }),
      component('b', { parent_id: 'root', status: 'unhealthy' }),
    ]);
    expect(valuesOf(rolled, [component('root')]).map(statusWords)).toEqual([['healthy', 'warning']]);
  });

  it('loses no check and no finding on the way up', async () => {
    await fc.assert(
      fc.asyncProperty(forest, async (components) => {
        const rolled = await roll(components);
        const roots = valuesOf(
          rolled,
          components.filter((one) => one.parent_id === null),
        );
        for (const status of ['healthy', 'unhealthy']) {
          const own = sum(components.map((one) => one.checks?.[status] ?? 0));
          expect(sum(roots.map(({ summary }) => summary.checks?.[status] ?? 0))).toBe(own);
        }
        for (const severity of ['high', 'low']) {
          const own = sum(components.map((one) => one.analysis?.['security']?.[severity] ?? 0));
          expect(sum(roots.map(({ summary }) => summary.insights?.['security']?.[severity] ?? 0))).toBe(own);
        }
      }),
    );
  });

  it('is as ill as the worst under it', async () => {
    await fc.assert(
      fc.asyncProperty(forest, async (components) => {
        const childIds = childIdsOf(components);
        const rolled = await roll(components);
        for (const { id } of components) {
          const under = components.filter((one) => reachableFrom(id, childIds).has(one.id));
          const isIll = under.some(
            (one) => one.status === 'unhealthy' || (one.checks?.['unhealthy'] ?? 0) > 0,
          );
          expect(rolled.get(id)?.health === 'unhealthy').toBe(isIll);
        }
      }),
    );
  });

  it('does not depend on the order of the rows', async () => {
    await fc.assert(
      fc.asyncProperty(forest, async (components) => {
        const there = await roll(components);
        const back = await roll(components.toReversed());
        for (const [id, rolled] of there) expect(back.get(id)).toEqual(rolled);
      }),
    );
  });
});
