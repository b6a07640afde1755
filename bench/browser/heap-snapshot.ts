/** What a page and its workers hold, told apart: what the program keeps, and what the engine makes of its code. */
import type { Page } from 'playwright-core';
import { askTarget, sharedWorkersOf } from './heap-samples.ts';

const MB = 1024 * 1024;
const CHUNK = 'HeapProfiler.addHeapSnapshotChunk';

export interface HeapParts {
  /** Objects, texts, closures and everything else that the program can reach, MB. */
  dataMb: number;
  /** Byte code, machine code and what the engine notes about functions, MB: it grows as long as any gets hot. */
  codeMb: number;
}

interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } };
  nodes: number[];
}

/** Of a snapshot in the form of the developer tools. */
function partsOf(text: string): HeapParts {
  const { snapshot, nodes } = JSON.parse(text) as Snapshot;
  const fields = snapshot.meta.node_fields;
  const [types] = snapshot.meta.node_types;
  const [typeAt, sizeAt] = [fields.indexOf('type'), fields.indexOf('self_size')];
  const code = types.indexOf('code');
  const bytes = { data: 0, code: 0 };
  for (let at = 0; at < nodes.length; at += fields.length)
    bytes[nodes[at + typeAt] === code ? 'code' : 'data'] += nodes[at + sizeAt] ?? 0;
  return { dataMb: bytes.data / MB, codeMb: bytes.code / MB };
}

/** Of the page and its shared workers together. Taking it collects garbage, and stops each for a second or so. */
export async function heapPartsOf(page: Page): Promise<HeapParts> {
  const context = page.context();
  const browser = await context.browser()?.newBrowserCDPSession();
  if (browser === undefined) throw new Error('the browser has no session');
  const session = await context.newCDPSession(page);
  try {
    const chunks: string[] = [];
    session.on(CHUNK, ({ chunk }) => void chunks.push(chunk));
    await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
    const all = [partsOf(chunks.join(''))];
    for (const targetId of await sharedWorkersOf(browser)) {
      const ofWorker: string[] = [];
      await askTarget(browser, {
        targetId,
        methods: ['HeapProfiler.takeHeapSnapshot'],
        hearEvent: (method, params) => {
          if (method === CHUNK) ofWorker.push((params as { chunk: string }).chunk);
        },
      });
      all.push(partsOf(ofWorker.join('')));
    }
    const sum = (pick: (parts: HeapParts) => number) => all.reduce((total, parts) => total + pick(parts), 0);
    return { dataMb: sum(({ dataMb }) => dataMb), codeMb: sum(({ codeMb }) => codeMb) };
  } finally {
    await session.detach();
    await browser.detach();
  }
}
