import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeChain, MAX_CHAIN, MAX_PRESUMED_TURNS } from './trigger-chain.ts';
import type { ChainLink } from './trigger-chain.ts';

const events = fc.record({
  playbookId: fc.constantFrom('a', 'b', 'c'),
  resource: fc.constantFrom('config/1', 'config/2', null),
  isCertain: fc.boolean(),
});

/** Each event is caused by the run before it; answers what was run. */
function follow(chain: readonly Omit<ChainLink, 'runId'>[]): ChainLink[] {
  const runs: ChainLink[] = [];
  for (const [at, next] of chain.entries()) {
    const link = at === 0 ? { ...next, isCertain: false } : next;
    if (judgeChain(runs, link).kind !== 'run') return runs;
    runs.unshift({ ...link, runId: String(at) });
  }
  return runs;
}

describe('loop protection', () => {
  it('whatever follows from what: every chain ends, no playbook comes round more often than is allowed', () => {
    fc.assert(
      fc.property(fc.array(events, { minLength: 1, maxLength: 40 }), (chain) => {
        const runs = follow(chain);
        expect(runs.length).toBeLessThanOrEqual(MAX_CHAIN);
        const turns = new Map<string, number>();
        for (const { playbookId, resource } of runs) {
          const key = `${playbookId} ${resource}`;
          turns.set(key, (turns.get(key) ?? 0) + 1);
        }
        for (const count of turns.values()) expect(count).toBeLessThanOrEqual(MAX_PRESUMED_TURNS);
      }),
    );
  });

  it('where every cause is certain, a playbook runs once about a resource', () => {
    fc.assert(
      fc.property(fc.array(events, { minLength: 1, maxLength: 40 }), (chain) => {
        const runs = follow(chain.map((link) => ({ ...link, isCertain: true })));
        expect(new Set(runs.map(({ playbookId, resource }) => `${playbookId} ${resource}`)).size).toBe(
          runs.length,
        );
      }),
    );
  });

  it('what has no cause always runs', () => {
    fc.assert(
      fc.property(events, (next) => {
        expect(judgeChain([], next)).toEqual({ kind: 'run' });
      }),
    );
  });

  it('the circle is told from its first run to its last', () => {
    const link = (runId: string, playbookId: string): ChainLink => ({
      runId,
      playbookId,
      resource: 'config/1',
      isCertain: true,
    });
    const verdict = judgeChain([link('3', 'b'), link('2', 'a'), link('1', 'c')], link('', 'a'));
    expect(verdict).toEqual({ kind: 'circle', runs: [link('2', 'a'), link('3', 'b')] });
  });
});
