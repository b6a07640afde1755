/** Pages with nothing but rows: what the browser itself needs for them. No list of ours can be faster than these. */

const ROWS = 28;
const ROW_PX = 28;
const COUNT = 10_000;

/** The worker has its answer in a millisecond: what it looks through are numbers. */
const WORKER = `onmessage = ({ data: text }) => {
  let sum = 0;
  for (let at = 0; at < ${COUNT}; at += 1) sum = (sum * 31 + at + text.length) | 0;
  postMessage(Array.from({ length: ${ROWS} }, (_, row) =>
    Array.from({ length: 5 }, (_, cell) => text + ' ' + row + ' ' + cell + ' ' + (sum & 255))));
}`;

/** The page and its script come from a cache, whatever the network does. */
const SERVICE_WORKER = `
oninstall = (event) => event.waitUntil(caches.open('limit').then((cache) => cache.addAll(['/', '/rows.js', '/worker.js'])));
onactivate = (event) => event.waitUntil(clients.claim());
onfetch = (event) => event.respondWith(caches.match(event.request).then((found) => found ?? fetch(event.request)));`;

/** Rows in the first frame, from what is stored; a key asks the worker for others; a scroll draws those in view. */
const SCRIPT = `
  localStorage.setItem('rows', localStorage.getItem('rows') ??
    JSON.stringify(Array.from({ length: ${ROWS} }, (_, row) => Array.from({ length: 5 }, () => 'row ' + row))));
  const rows = document.getElementById('rows');
  const write = (lines) => lines.forEach((cells, row) => cells.forEach((text, cell) => {
    rows.children[row].children[cell].textContent = text;
  }));
  for (let row = 0; row < ${ROWS}; row += 1) {
    const line = rows.appendChild(document.createElement('div'));
    line.dataset.rowKind = 'check';
    for (let cell = 0; cell < 5; cell += 1) line.appendChild(document.createElement('span'));
  }
  write(JSON.parse(localStorage.getItem('rows')));
  const worker = new Worker('/worker.js');
  worker.onmessage = ({ data }) => write(data);
  document.querySelector('input').addEventListener('input', (event) => worker.postMessage(event.target.value));
  const scroller = document.getElementById('scroller');
  scroller.addEventListener('scroll', () => {
    const start = Math.floor(scroller.scrollTop / ${ROW_PX});
    rows.style.paddingTop = start * ${ROW_PX} + 'px';
    write(Array.from({ length: ${ROWS} }, (_, row) => Array.from({ length: 5 }, (_, cell) => 'row ' + (start + row) + ' ' + cell)));
  });
  navigator.serviceWorker.register('/sw.js');`;

/** The page itself. */
export const PAGE = `<!doctype html><html lang="en"><title>limit</title><style>
  body { font: 14px sans-serif; margin: 0 } [data-row-kind] { height: ${ROW_PX}px; contain: strict; white-space: nowrap }
  span { display: inline-block; width: 180px; overflow: hidden }
  #scroller { height: ${ROWS * ROW_PX}px; overflow-y: auto } #rows { height: ${COUNT * ROW_PX}px; box-sizing: border-box }
</style><main><input type="search" aria-label="Search"><div id="scroller"><div id="rows"></div></div></main>
<script src="/rows.js"></script></html>`;

/** By path; everything else is the page. */
export const SCRIPTS: ReadonlyMap<string, string> = new Map([
  ['/worker.js', WORKER],
  ['/sw.js', SERVICE_WORKER],
  ['/rows.js', SCRIPT],
]);
