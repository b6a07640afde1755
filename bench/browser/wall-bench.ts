/** A wall with 10,000 checks on a slow computer: from a change on the server to its paint, and what its tab holds. */
import type { Bench } from '../core/bench.ts';
import { slowRenderers } from './slow-renderers.ts';
import { checkRow, FLIP, showBoards, withWall } from './wall-setting.ts';

const FLIPS = 24;
const SLOWER = 6;
/** Half a minute after its start a device compares what it has with the server's count, and then every ten minutes. */
const FIRST = 45_000;

/** When the tile has that health and is painted, on the page's wall clock. */
const whenShown = (health: string) => `bench.seen(() =>
  document.querySelector('section[data-kind=check] [data-health=${health}]') !== null
).then((at) => performance.timeOrigin + at)`;

/** Measures it. */
export async function measureWall(bench: Bench): Promise<void> {
  const options = { seed: { checks: 10_000 }, every: '@every 10s' };
  await withWall(options, async (wall, { wallId, boards }) => {
    const { page, adminUrl } = wall;
    await showBoards(wall, wallId, { boards: boards.slice(0, 1), rotateSeconds: 3600 });
    await page.evaluate(whenShown('healthy'));
    // What a first visit leaves to do is done by then.
    await page.waitForTimeout(FIRST);
    await bench.measure(['wall memory'], 1, () => Promise.resolve({ 'wall memory': wall.tabMb() }));
    const endSlow = slowRenderers(SLOWER);
    try {
      await bench.measure(['wall paint p95'], FLIPS, async (flip) => {
        const isUp = flip % 2 === 1;
        const shown = page.evaluate<number>(whenShown(isUp ? 'healthy' : 'unhealthy'));
        wall.answer(isUp ? 200 : 500);
        const shownAt = await shown;
        const turned = await checkRow(adminUrl, FLIP);
        return { 'wall paint p95': shownAt - Date.parse(turned.last_transition_time) };
      });
    } finally {
      await endSlow();
    }
  });
}
