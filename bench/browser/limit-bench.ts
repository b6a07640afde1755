/**
 * What the browser itself needs for a key, on this machine: a page with nothing but a search box and 28 rows of five
 * texts, which a worker answers at once. No list of ours can be faster than this one.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Bench } from '../core/bench.ts';
import { withBrowser } from './app.ts';
import { longestTask, typeWord } from './page-clock.ts';

const ROWS = 28;
const COUNT = 10_000;
const WORDS = 'checkout ledger vault worker backup gateway pricing identity reviews media'.split(' ');

/** The worker has its answer in a millisecond: what it looks through are numbers. */
const WORKER = `onmessage = ({ data: text }) => {
  let sum = 0;
  for (let at = 0; at < ${COUNT}; at += 1) sum = (sum * 31 + at + text.length) | 0;
  postMessage(Array.from({ length: ${ROWS} }, (_, row) =>
    Array.from({ length: 5 }, (_, cell) => text + ' ' + row + ' ' + cell + ' ' + (sum & 255))));
}`;

const PAGE = `<!doctype html><html lang="en"><title>limit</title><style>
  body { font: 14px sans-serif } [data-row-kind] { height: 28px; contain: strict; white-space: nowrap }
  span { display: inline-block; width: 180px; overflow: hidden }
</style><main><input type="search" aria-label="Search"><div id="rows"></div></main><script>
  const rows = document.getElementById('rows');
  for (let row = 0; row < ${ROWS}; row += 1) {
    const line = rows.appendChild(document.createElement('div'));
    line.dataset.rowKind = 'check';
    for (let cell = 0; cell < 5; cell += 1) line.appendChild(document.createElement('span')).textContent = 'row ' + row;
  }
  const worker = new Worker('/worker.js');
  worker.onmessage = ({ data }) => data.forEach((cells, row) => cells.forEach((text, cell) => {
    rows.children[row].children[cell].textContent = text;
  }));
  document.querySelector('input').addEventListener('input', (event) => worker.postMessage(event.target.value));
</script></html>`;

/** Measures it. */
export async function measureLimit(bench: Bench): Promise<void> {
  const server = createServer((request, response) => {
    const isWorker = request.url === '/worker.js';
    response
      .writeHead(200, { 'content-type': isWorker ? 'text/javascript' : 'text/html' })
      .end(isWorker ? WORKER : PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Listening on a port, so it has one.
  const { port } = server.address() as AddressInfo;
  try {
    await withBrowser(async (page) => {
      await page.goto(`http://127.0.0.1:${port}/`);
      await page.waitForTimeout(1000);
      await bench.measure(['limit key'], WORDS.length, async (at) => ({
        'limit key': (await typeWord(page, WORDS[at] ?? 'vault')).keysMs,
      }));
      await bench.measure(['limit long'], 1, async () => ({ 'limit long': await longestTask(page) }));
    });
  } finally {
    server.close();
  }
}
