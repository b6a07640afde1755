/** Load of the server that runs 1,000 HTTP checks every 30 s against a service on loopback. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareServer } from '../e2e/support/holdfast-server.ts';
import { prepareTarget } from '../e2e/support/target-service.ts';
import { percentile } from './percentile.ts';
import { cpuSeconds, residentMb } from './process-load.ts';
import { sessionCookie } from './signed-in-proxy.ts';

const CHECKS = 1000;
const SETTLE_MS = 45_000;
const MEASURE_MS = 60_000;

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

export async function measureChecks(): Promise<{
  cpuPercent: number;
  lateP95Ms: number;
  rssMb: number;
  runs: number;
}> {
  const target = await prepareTarget();
  await target.up();
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-canaries-'));
  writeFileSync(join(dir, 'load.yaml'), canaryFile(target.url));
  const server = await prepareServer({ env: { CANARIES_DIR: dir, LOG_LEVEL: 'warn' } });
  try {
    await server.start();
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const pid = server.pid();
    const [cpu, at] = [cpuSeconds(pid), Date.now()];
    await new Promise((resolve) => setTimeout(resolve, MEASURE_MS));
    const cpuPercent = ((cpuSeconds(pid) - cpu) / ((Date.now() - at) / 1000)) * 100;
    const rssMb = residentMb(pid);
    const cookie = await sessionCookie(server.url);
    const since = new Date(at).toISOString();
    const gaps: number[] = [];
    let runs = 0;
    for (let index = 0; index < 20; index++) {
      const found = await fetch(
        `${server.url}/api/db/check_statuses?select=time,checks!inner(name)&checks.name=eq.load-${index * 50}&time=gt.${since}&order=time.asc`,
        { headers: { cookie } },
      );
      const rows = (await found.json()) as { time: string }[];
      runs += rows.length;
      for (let n = 1; n < rows.length; n++)
        gaps.push(Date.parse(rows[n]?.time ?? '') - Date.parse(rows[n - 1]?.time ?? '') - 30_000);
    }
    const late = gaps.map((gap) => Math.abs(gap));
    return { cpuPercent, lateP95Ms: percentile(late, 0.95), rssMb, runs };
  } finally {
    await server.dispose();
    await target.down();
    rmSync(dir, { recursive: true, force: true });
  }
}
