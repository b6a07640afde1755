/**
 * Written into the document behind #root (scripts/inline-scripts.ts): paints the first frame where there is one, then starts
 * the app's own script, which would keep the processor from that paint.
 */
import { showFirstFrame } from './first-frame/show-first-frame.ts';
import { NOT_STARTED } from './not-started.ts';

/** A page that paints nothing waits no longer. */
const LIMIT_MS = 200;

function afterPaint(run: () => void): void {
  let hasRun = false;
  const once = () => {
    if (!hasRun) run();
    hasRun = true;
  };
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', once);
  port1.start();
  // A task that is asked for in a frame comes after its paint.
  requestAnimationFrame(() => port2.postMessage(null));
  setTimeout(once, LIMIT_MS);
}

const root = document.querySelector('#root');
// Where there is no frame it is a script, which starts by itself.
const entry = document.querySelector<HTMLLinkElement>('link#entry');
if (root !== null && entry !== null) {
  // A page without its script can't be used: what it looked like is taken away.
  const load = () =>
    void import(/* @vite-ignore */ entry.href).catch((error: unknown) => {
      window.dispatchEvent(new Event(NOT_STARTED));
      reportError(error);
    });
  if (showFirstFrame(root)) afterPaint(load);
  else load();
}
