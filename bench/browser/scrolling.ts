/** How smoothly a list of rows scrolls. */
import type { BrowserContext, Page } from 'playwright-core';

const FRAMES = `globalThis.frames = []; globalThis.isRecording = true; (() => {
  let last = performance.now();
  const tick = (at) => { frames.push(at - last); last = at; if (isRecording) requestAnimationFrame(tick); };
  requestAnimationFrame(tick);
})()`;

/** Frames a second while a gesture scrolls the page. */
export async function scroll(context: BrowserContext, page: Page): Promise<number> {
  const box = await page.locator('[data-row-kind]').nth(3).boundingBox();
  if (box === null) throw new Error('no rows to scroll');
  const session = await context.newCDPSession(page);
  await page.evaluate(FRAMES);
  await session.send('Input.synthesizeScrollGesture', {
    x: Math.round(box.x + 200),
    y: Math.round(box.y + 200),
    yDistance: -20_000,
    speed: 4000,
    gestureSourceType: 'mouse',
    preventFling: true,
  });
  return page.evaluate<number>(`(() => {
    globalThis.isRecording = false;
    const counted = frames.slice(1);
    return (counted.length / counted.reduce((sum, one) => sum + one, 0)) * 1000;
  })()`);
}
