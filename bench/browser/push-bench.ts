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
const FLIPS = 24;

/** When the check's row has that health and is painted, on the page's wall clock. */
const whenShown = (health: string) => `bench.when(() =>
  document.querySelector('[data-row-kind=check][data-health=${health}]')?.textContent.includes('${NAME}') === true
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
  try {
    await withApp({ env: { CANARIES_DIR: dir } }, ({ url }) =>
      withBrowser(async (page) => {
        await page.goto(`${url}/health?hidePassing=false&groupBy=none&query=${NAME}`);
        await page.evaluate(whenShown('healthy'));
        await bench.measure(['push p95'], FLIPS, async (flip) => {
          const isUp = flip % 2 === 1;
          const shown = page.evaluate<number>(whenShown(isUp ? 'healthy' : 'unhealthy'));
          target.answer(isUp ? 200 : 500);
          const shownAt = await shown;
          return { 'push p95': shownAt - (await turnedAt(page)) };
        });
      }),
    );
  } finally {
    await target.down();
  }
}
