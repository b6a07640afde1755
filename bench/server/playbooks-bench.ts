/** How soon a run of a playbook shows its first line, and how soon a hundred of them begin. */
import { performance } from 'node:perf_hooks';
import type { Database } from '../../server/platform/db/database.ts';
import { addPlaybook, playbookSetting } from '../../tests/playbooks/support/playbook-setting.ts';
import type { Bench } from '../core/bench.ts';
import { withDatabase } from './bench-database.ts';
import { readStarts } from './playbooks-query.ts';

const ECHO = { actions: [{ name: 'say', exec: { script: 'echo hello' } }] };
const PRESSES = 30;
const AT_ONCE = 100;
const ROUNDS = 3;
const MOST_MS = 60_000;
const OVER = new Set(['completed', 'failed', 'cancelled']);

async function measureOn(bench: Bench, kind: Database['kind']): Promise<void> {
  await withDatabase(kind, async (db) => {
    const setting = await playbookSetting(db);
    try {
      const echo = await addPlaybook(db, 'echo', ECHO);
      await bench.measure([`playbook output ${kind}`], PRESSES, async () => {
        const startedAt = performance.now();
        const id = await setting.press(echo);
        const { pieces } = await setting.output(id, 0, 20_000);
        const outputMs = performance.now() - startedAt;
        if (pieces.length === 0) throw new Error('the run wrote nothing');
        return { [`playbook output ${kind}`]: outputMs };
      });
      await bench.measure([`playbook start ${kind}`], ROUNDS, async (at) => {
        const many = await addPlaybook(db, `many ${at}`, ECHO);
        await Promise.all(Array.from({ length: AT_ONCE }, () => setting.press(many)));
        const untilMs = performance.now() + MOST_MS;
        let runs = await readStarts(db, many);
        while (!runs.every(({ status }) => OVER.has(status)) && performance.now() < untilMs) {
          await new Promise((resolve) => setTimeout(resolve, 200));
          runs = await readStarts(db, many);
        }
        const lost = AT_ONCE - runs.filter(({ status }) => status === 'completed').length;
        if (lost > 0) throw new Error(`${lost} of ${AT_ONCE} runs did not complete`);
        return { [`playbook start ${kind}`]: runs.map(({ delay_ms: delayMs }) => delayMs ?? Number.NaN) };
      });
    } finally {
      await setting.server.stop();
    }
  });
}

/** Measures both databases. */
export async function measurePlaybooks(bench: Bench): Promise<void> {
  await measureOn(bench, 'pglite');
  await measureOn(bench, 'postgres');
}
