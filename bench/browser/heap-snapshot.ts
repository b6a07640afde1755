/** What a page and its workers hold, told apart: what the program keeps, and what the engine makes of its code. */
import type { CDPSession, Page } from 'playwright-core';
import { askTarget, sharedWorkersOf, withSessions } from './heap-samples.ts';

const MB = 1024 * 1024;
const CHUNK = 'HeapProfiler.addHeapSnapshotChunk';

export interface HeapParts {
  /** Objects, texts, closures and everything else that the program can reach, MB. */
  dataMb: number;
  /** Byte code, machine code and what the engine notes about functions, MB: it grows as long as functions become hot. */
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

async function partsOfPage(session: CDPSession): Promise<HeapParts> {
  const chunks: string[] = [];
  session.on(CHUNK, ({ chunk }) => void chunks.push(chunk));
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  return partsOf(chunks.join(''));
}

async function partsOfWorker(browser: CDPSession, targetId: string): Promise<HeapParts> {
  const chunks: string[] = [];
  await askTarget(browser, {
    targetId,
    methods: ['HeapProfiler.takeHeapSnapshot'],
    hearEvent: (method, params) => {
      if (method === CHUNK) chunks.push((params as { chunk: string }).chunk);
    },
  });
  return partsOf(chunks.join(''));
}

/** Of the page and its shared workers together. Taking it collects garbage, and stops each for a second or so. */
export function heapPartsOf(page: Page): Promise<HeapParts> {
  return withSessions(page, async ({ session, browser }) => {
    const total = await partsOfPage(session);
    for (const targetId of await sharedWorkersOf(browser)) {
      const { dataMb, codeMb } = await partsOfWorker(browser, targetId);
      total.dataMb += dataMb;
      total.codeMb += codeMb;
    }
    return total;
  });
}
