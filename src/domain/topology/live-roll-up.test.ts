import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Component } from './component.ts';
import type { VerdictOf } from './judge-circle.ts';
import { createLiveRollUp } from './live-roll-up.ts';

const component = (id: string, over: Partial<Component> = {}): Component => ({
  id,
  name: id,
  parent_id: null,
  type: 'Application',
  status: '',
  health: null,
  status_expr: null,
  health_expr: null,
  checks: null,
  incidents: null,
  analysis: null,
  children: null,
  ...over,
});

/** An expression of the component: as ill as there are checks under it, so that it reads what was summed up. */
const judge: VerdictOf = ({ health_expr: expr }, { checks }) => ({
  health: expr === null ? null : (checks?.['unhealthy'] ?? 0) > 2 ? 'unhealthy' : 'warning',
  status: null,
});
const silent: VerdictOf = () => ({ health: null, status: null });

const ids = Array.from({ length: 14 }, (_, at) => `c${at}`);
const someId = fc.constantFrom(...ids);
const word = fc.constantFrom('healthy', 'unhealthy', 'warning', 'info', 'unknown', '');
const few = fc.nat(3);

/** Any graph: parents and selectors go where they like, in circles, to nobody. */
const row: fc.Arbitrary<Component> = fc
  .record({
    id: someId,
    parent_id: fc.option(someId),
    status: word,
    health: fc.option(word),
    health_expr: fc.option(fc.constant('x'), { freq: 6 }),
    checks: fc.option(fc.record({ healthy: few, unhealthy: few })),
    incidents: fc.option(fc.record({ availability: fc.record({ high: few }) })),
    analysis: fc.option(
      fc.dictionary(fc.constantFrom('security', '__proto__', 'a.b'), fc.record({ low: few })),
    ),
    children: fc.option(fc.uniqueArray(someId, { maxLength: 3 })),
    own_summary: fc.option(fc.record({ healthy: few, unhealthy: few }), { freq: 6 }),
  })
  .map(({ id, ...over }) => component(id, over));
const rows = fc.uniqueArray(row, { selector: ({ id }) => id, maxLength: ids.length });
const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ set: fc.array(row, { maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ removed: fc.array(someId, { maxLength: 2 }) }) },
);

const byId = (all: ReturnType<ReturnType<typeof createLiveRollUp>['all']>) => Object.fromEntries(all);

describe('a roll-up that follows changes', () => {
  it('comes to what one of everything comes to, and names what came out different', () => {
    fc.assert(
      fc.property(rows, fc.array(change, { maxLength: 8 }), (start, changes) => {
        const kept = new Map(start.map((one) => [one.id, one]));
        const live = createLiveRollUp(start, judge);
        for (const step of changes) {
          const before = live.all();
          const changed = live.update(step);
          if ('removed' in step) for (const id of step.removed) kept.delete(id);
          if ('set' in step) for (const one of step.set) kept.set(one.id, one);
          const after = live.all();
          expect(byId(after)).toEqual(byId(createLiveRollUp([...kept.values()], judge).all()));
          for (const id of ids) {
            const isSame = JSON.stringify(byId(before)[id]) === JSON.stringify(byId(after)[id]);
            if (!isSame && !changed.has(id)) expect(before.get(id)).toEqual(after.get(id));
          }
        }
      }),
    );
  });

  it('changes of values alone, on a graph that stays, come to the same', () => {
    fc.assert(
      fc.property(rows, fc.array(row, { maxLength: 12 }), (start, values) => {
        const kept = new Map(start.map((one) => [one.id, one]));
        const live = createLiveRollUp(start, judge);
        for (const value of values) {
          const old = kept.get(value.id);
          if (old === undefined) continue;
          const next = { ...value, parent_id: old.parent_id, children: old.children };
          kept.set(value.id, next);
          live.update({ set: [next] });
        }
        expect(byId(live.all())).toEqual(byId(createLiveRollUp([...kept.values()], judge).all()));
      }),
    );
  });

  it('does not depend on the order of the rows, also where selectors go in circles', () => {
    fc.assert(
      fc.property(rows, (some) => {
        const there = createLiveRollUp(some, judge).all();
        expect(byId(createLiveRollUp(some.toReversed(), judge).all())).toEqual(byId(there));
      }),
    );
  });

  it('makes everything in a circle as ill as the worst of it, with the findings of all once', () => {
    const live = createLiveRollUp(
      [
        component('a', { children: ['b'], checks: { healthy: 1 } }),
        component('b', { children: ['c'], status: 'unhealthy' }),
        component('c', { children: ['a'], checks: { healthy: 2 } }),
        component('above', { children: ['a'] }),
      ],
      silent,
    );
    for (const id of ['a', 'b', 'c', 'above'])
      expect(live.get(id)).toMatchObject({ health: 'unhealthy', summary: { checks: { healthy: 3 } } });
    expect(live.get('a')?.summary).toEqual({ healthy: 2, unhealthy: 1, checks: { healthy: 3 } });
    expect(live.get('above')?.summary).toEqual({ warning: 1, checks: { healthy: 3 } });
  });

  it('counts what a component was given to count, as long as nothing is under it', () => {
    const given = component('given', {
      parent_id: 'root',
      status: 'healthy',
      own_summary: { unhealthy: 2, info: 1 },
    });
    const live = createLiveRollUp([component('root'), given], silent);
    expect(live.get('given')?.summary).toEqual({ unhealthy: 2, info: 1 });
    expect(live.get('root')?.summary).toEqual({ unhealthy: 1, info: 1 });
    live.update({ set: [component('under', { parent_id: 'given', status: 'healthy' })] });
    expect(live.get('given')?.summary).toEqual({ healthy: 1 });
  });

  it('asks only those above a change', () => {
    const asked: string[] = [];
    const counting: VerdictOf = ({ id }) => {
      asked.push(id);
      return { health: null, status: null };
    };
    const withExpr = (id: string, parent: string | null) =>
      component(id, { parent_id: parent, health_expr: 'x', status: 'healthy' });
    const live = createLiveRollUp(
      [withExpr('root', null), withExpr('left', 'root'), withExpr('right', 'root'), withExpr('leaf', 'left')],
      counting,
    );
    asked.length = 0;
    const changed = live.update({ set: [{ ...withExpr('leaf', 'left'), status: 'unhealthy' }] });
    expect(asked).toEqual(['leaf', 'left', 'root']);
    expect(changed).toEqual(new Set(['leaf', 'left', 'root']));
  });

  it('ends on a chain of 10,000 and on a parent of 10,000', () => {
    const chain = Array.from({ length: 10_000 }, (_, at) =>
      component(`n${at}`, { parent_id: at === 0 ? null : `n${at - 1}`, status: 'healthy' }),
    );
    const live = createLiveRollUp(chain, silent);
    live.update({ set: [{ ...component('n9999', { parent_id: 'n9998' }), status: 'unhealthy' }] });
    expect(live.get('n0')).toMatchObject({ health: 'unhealthy', summary: { unhealthy: 1 } });
    const star = chain.map((one, at) => ({ ...one, parent_id: at === 0 ? null : 'n0' }));
    expect(createLiveRollUp(star, silent).get('n0')?.summary).toEqual({ healthy: 9_999 });
  });

  it('leaves a component that says nothing of itself as its checks say', () => {
    const live = createLiveRollUp(
      [
        component('site'),
        component('web', { parent_id: 'site', checks: { unhealthy: 1, healthy: 2 } }),
        component('empty', { parent_id: 'site' }),
      ],
      silent,
    );
    expect(live.get('web')).toMatchObject({ health: 'unhealthy', status: 'unhealthy' });
    expect(live.get('site')).toMatchObject({ health: 'unhealthy', status: 'unhealthy' });
    expect(live.get('site')?.summary).toEqual({ unhealthy: 1, checks: { unhealthy: 1, healthy: 2 } });
    expect(live.get('empty')?.status).toBe('unknown');
  });
});
