/**
 * A check that turns, on its way to an open page: a canary on a 1 s interval follows its target, and the page's row is
 * watched. From the stored start of the result that turned it to its paint, on one machine's clock.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { prepareTarget } from '../../e2e/support/target-service.ts';
import type { Bench } from '../core/bench.ts';
import { withApp, withBrowser } from './app.ts';

const NAME = 'flip-check';
/** Three levels above the check. */
const TOP = 'flip-top';
const TOPOLOGY = `apiVersion: canaries.flanksource.com/v1
kind: Topology
metadata: { name: ${TOP} }
spec:
  components: [{ name: middle, components: [{ name: leaf, checks: [{ selector: { name: ${NAME} } }] }] }]
`;
const FLIPS = 24;

/** When the row of that kind and name has that health and is painted, on the page's wall clock. */
const whenShown = (health: string, { kind, name } = { kind: 'check', name: NAME }) => `bench.when(() =>
  document.querySelector('[data-row-kind=${kind}][data-health=${health}]')?.textContent.includes('${name}') === true
).then((at) => performance.timeOrigin + at)`;

async function turnedAt(page: Page): Promise<number> {
  const answer = await page.evaluate(async (name) => {
    const found = await fetch(`/api/db/checks?name=eq.${name}&select=last_transition_time`);
    return (await found.json()) as { last_transition_time: string }[];
  }, NAME);
  return Date.parse(answer[0]?.last_transition_time ?? '');
}

/** Measures it. */
export async function measurePush(bench: Bench): Promise<void> {
  const target = await prepareTarget();
  await target.up();
  const dir = resolve('.tmp/bench/canaries');
  mkdirSync(dir, { recursive: true });
  writeFileSync(
    `${dir}/flip.yaml`,
    `apiVersion: canaries.flanksource.com/v1\nkind: Canary\nmetadata: { name: flip }\nspec: { schedule: "@every 1s", http: [{ name: ${NAME}, url: "${target.url}" }] }\n`,
  );
  writeFileSync(`${dir}/flip-topology.yaml`, TOPOLOGY);
  try {
    await withApp({ env: { CANARIES_DIR: dir, TOPOLOGIES_DIR: dir } }, ({ url }) =>
      withBrowser(async (page) => {
        const turn = async (flip: number, row: { kind: string; name: string }) => {
          const isUp = flip % 2 === 1;
          const shown = page.evaluate<number>(whenShown(isUp ? 'healthy' : 'unhealthy', row));
          target.answer(isUp ? 200 : 500);
          const shownAt = await shown;
          return shownAt - (await turnedAt(page));
        };
        await page.goto(`${url}/health?hidePassing=false&groupBy=none&query=${NAME}`);
        await page.evaluate(whenShown('healthy'));
        await bench.measure(['push p95'], FLIPS, async (flip) => ({
          'push p95': await turn(flip, { kind: 'check', name: NAME }),
        }));
        const top = { kind: 'card', name: TOP };
        await page.goto(`${url}/topology?search=${TOP}`);
        await page.evaluate(whenShown('healthy', top));
        await bench.measure(['push topology p95'], FLIPS, async (flip) => ({
          'push topology p95': await turn(flip, top),
        }));
      }),
    );
  } finally {
    await target.down();
  }
}
