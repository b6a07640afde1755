/**
 * The charts that integrations are made of: asked of their registry at most once a day, kept in the database, and given
 * from there whenever the registry is away or may not be asked. Who waits asks once, however many look.
 */
import type { IntegrationChart } from '../../src/contract/http/integration-chart.ts';
import type { ChartKey } from '../../src/domain/integration/charts.ts';
import type { Database } from '../platform/db/database.ts';
import type { EgressGuard } from '../platform/egress/egress-guard.ts';
import type { Platform } from '../platform/platform.ts';
import { reasonOf } from '../platform/reason-of.ts';
import { keepChart, readStoredChart, type StoredChart } from './charts-query.ts';
import { fetchChart } from './fetch-chart.ts';

const FRESH_MS = 24 * 3_600_000;
/** A registry that did not answer isn't asked by everybody who opens the form. */
const ASK_AGAIN_MS = 60_000;

export interface ChartService {
  /** What is known of it now; always answers. */
  read(chart: ChartKey): Promise<IntegrationChart>;
}

interface ChartServiceDeps {
  db: Database;
  platform: Pick<Platform, 'now'>;
  guard: EgressGuard;
  /** Address of the folder with the charts; null = none is asked. */
  registry: string | null;
}

interface Failure {
  atMs: number;
  reason: string;
}

const NOT_ASKED = 'This server asks no registry of charts (CHARTS_URL)';

function answer(chart: ChartKey, kept: StoredChart | undefined, problem: string | null): IntegrationChart {
  const nothing = { name: null, version: null, description: null, schema: null, readAt: null };
  return { chart, ...nothing, ...kept, problem };
}

/** One server's way to its charts. */
export function createChartService({ db, platform, guard, registry }: ChartServiceDeps): ChartService {
  const failures = new Map<ChartKey, Failure>();
  const asking = new Map<ChartKey, Promise<StoredChart | Failure>>();

  const askRegistry = async (chart: ChartKey, address: string): Promise<StoredChart | Failure> => {
    try {
      const fetched = await fetchChart(chart, { registry: address, guard });
      const read = { ...fetched, readAt: new Date(platform.now()).toISOString() };
      await keepChart(db, chart, read);
      failures.delete(chart);
      return read;
    } catch (error) {
      const failure = { atMs: platform.now(), reason: reasonOf(error) };
      failures.set(chart, failure);
      return failure;
    }
  };

  const askOnce = (chart: ChartKey, address: string): Promise<StoredChart | Failure> => {
    const running = asking.get(chart);
    if (running !== undefined) return running;
    const asked = askRegistry(chart, address).finally(() => asking.delete(chart));
    asking.set(chart, asked);
    return asked;
  };

  return {
    async read(chart) {
      const kept = await readStoredChart(db, chart);
      const nowMs = platform.now();
      if (kept !== undefined && nowMs - Date.parse(kept.readAt) < FRESH_MS) return answer(chart, kept, null);
      if (registry === null) return answer(chart, kept, NOT_ASKED);
      const failure = failures.get(chart);
      if (failure !== undefined && nowMs - failure.atMs < ASK_AGAIN_MS)
        return answer(chart, kept, failure.reason);
      const read = await askOnce(chart, registry);
      return 'reason' in read ? answer(chart, kept, read.reason) : answer(chart, read, null);
    },
  };
}
