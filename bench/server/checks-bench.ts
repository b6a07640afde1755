/** Load of the server that runs 1,000 HTTP checks every 30 s against a service on loopback. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareServer } from '../../e2e/support/holdfast-server.ts';
import { prepareTarget } from '../../e2e/support/target-service.ts';
import type { Bench } from '../core/bench.ts';
import { countCpu, treeMb } from '../core/machine.ts';
import { sessionCookie } from '../signed-in-proxy.ts';

const CHECKS = 1000;
const EVERY_MS = 30_000;
const SETTLE_MS = 45_000;
const MEASURE_MS = 30_000;
const WINDOWS = 4;
/** Of the checks, whose stored results are looked at. */
const LOOKED_AT = 20;

function canaryFile(url: string): string {
  const documents: string[] = [];
  for (let index = 0; index < CHECKS; index++) {
    documents.push(`apiVersion: canaries.flanksource.com/v1
kind: Canary
metadata: { name: load-${index}, namespace: bench }
spec: { schedule: "@every 30s", http: [{ name: load-${index}, url: "${url}?n=${index}" }] }`);
  }
  return documents.join('\n---\n');
}

/** How far the times between the results of these checks are from their interval, ms. */
export async function latenesses(url: string, since: Date, names: readonly string[]): Promise<number[]> {
  const cookie = await sessionCookie(url);
  const late: number[] = [];
  for (const name of names) {
    const found = await fetch(
      `${url}/api/db/check_statuses?select=time,checks!inner(name)&checks.name=eq.${name}&time=gt.${since.toISOString()}&order=time.asc`,
      { headers: { cookie } },
    );
    const times = ((await found.json()) as { time: string }[]).map(({ time }) => Date.parse(time));
    for (const [at, time] of times.entries()) {
      const before = times[at - 1];
      if (before !== undefined) late.push(Math.abs(time - before - EVERY_MS));
    }
  }
  return late;
}

/** Measures it on the default database. */
export async function measureChecks(bench: Bench): Promise<void> {
  const target = await prepareTarget();
  await target.up();
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-canaries-'));
  writeFileSync(join(dir, 'load.yaml'), canaryFile(target.url));
  const server = await prepareServer({ env: { CANARIES_DIR: dir, LOG_LEVEL: 'warn' } });
  try {
    await server.start();
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const since = new Date();
    await bench.measure(['checks cpu'], WINDOWS, async () => {
      const percent = countCpu(server.pid());
      await new Promise((resolve) => setTimeout(resolve, MEASURE_MS));
      return { 'checks cpu': percent() };
    });
    await bench.measure(['checks memory'], 1, async () => ({ 'checks memory': treeMb(server.pid()) }));
    await bench.measure(['checks late p95'], 1, async () => ({
      'checks late p95': await latenesses(
        server.url,
        since,
        Array.from({ length: LOOKED_AT }, (_, index) => `load-${index * (CHECKS / LOOKED_AT)}`),
      ),
    }));
  } finally {
    await server.dispose();
    await target.down();
    rmSync(dir, { recursive: true, force: true });
  }
}
