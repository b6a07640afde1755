/** Figures for Prometheus: from this machine without sign-in, from elsewhere for administrators. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { refuseUnless } from '../../access/policies/refuse-unless.ts';
import type { JobMetrics } from '../../platform/jobs/job-metrics.ts';
import type { RequestSteps } from '../../access/request/route-context.ts';

interface RunStats {
  scheduled: number;
  running: number;
  completed: number;
  failed: number;
}

/** Whatever counts something. */
interface Counting {
  checks: { stats(): RunStats; figuresText(): string };
  scrapers: { stats(): RunStats };
  streams: { count(): number };
  metrics: Pick<JobMetrics, 'loops' | 'queues'>;
}

interface MetricsDeps extends Pick<RequestSteps, 'authenticate'> {
  backend: () => Counting | null;
}

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** A proxy on this machine also comes from loopback, and a web page can lead a browser here by a name of its own. */
function isFromThisMachine(request: FastifyRequest): boolean {
  const { headers, socket } = request;
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  return (
    LOOPBACK.test(socket.remoteAddress ?? '') &&
    !isForwarded &&
    LOCAL_NAMES.has(request.hostname.toLowerCase())
  );
}

/** What runs in the background, by its name. */
function addJobGauges(registry: Registry, metrics: () => Counting['metrics'] | undefined): void {
  const gauge = (about: { name: string; help: string; labelNames: string[] }, set: (to: Gauge) => void) =>
    new Gauge({
      ...about,
      registers: [registry],
      collect() {
        set(this);
      },
    });
  gauge(
    { name: 'holdfast_loop_runs', help: 'Runs of background loops', labelNames: ['loop', 'end'] },
    (to) => {
      for (const [loop, { runs, failures }] of metrics()?.loops() ?? []) {
        to.set({ loop, end: 'done' }, runs);
        to.set({ loop, end: 'failed' }, failures);
      }
    },
  );
  gauge(
    { name: 'holdfast_loop_last_seconds', help: 'How long the last run took', labelNames: ['loop'] },
    (to) => {
      for (const [loop, { lastMs }] of metrics()?.loops() ?? []) to.set({ loop }, lastMs / 1000);
    },
  );
  gauge(
    {
      name: 'holdfast_queue_attempts',
      help: 'Attempts at what waits in queues',
      labelNames: ['queue', 'end'],
    },
    (to) => {
      for (const [queue, { running: _, ...ends }] of metrics()?.queues() ?? [])
        for (const [end, count] of Object.entries(ends)) to.set({ queue, end }, count);
    },
  );
  gauge({ name: 'holdfast_queue_running', help: 'Attempts that go on now', labelNames: ['queue'] }, (to) => {
    for (const [queue, { running }] of metrics()?.queues() ?? []) to.set({ queue }, running);
  });
}

function createRegistry(deps: Pick<MetricsDeps, 'backend'>): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const stats = () => deps.backend()?.checks.stats();
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge('holdfast_event_streams', 'Open event streams', () => deps.backend()?.streams.count() ?? 0);
  gauge('holdfast_checks_scheduled', 'Checks on a schedule', () => stats()?.scheduled ?? 0);
  gauge('holdfast_checks_running', 'Checks running now', () => stats()?.running ?? 0);
  gauge('holdfast_checks_completed', 'Runs since the start', () => stats()?.completed ?? 0);
  gauge('holdfast_checks_failed', 'Failed runs since the start', () => stats()?.failed ?? 0);
  const scrapes = () => deps.backend()?.scrapers.stats();
  gauge('holdfast_scrapers_scheduled', 'Scrapers on a schedule', () => scrapes()?.scheduled ?? 0);
  gauge('holdfast_scrapers_running', 'Scrapers running now', () => scrapes()?.running ?? 0);
  gauge('holdfast_scrapers_completed', 'Scrapes since the start', () => scrapes()?.completed ?? 0);
  gauge('holdfast_scrapers_failed', 'Failed scrapes since the start', () => scrapes()?.failed ?? 0);
  addJobGauges(registry, () => deps.backend()?.metrics);
  return registry;
}

/** `/api/metrics`. */
export function registerMetricsRoutes(app: FastifyInstance, deps: MetricsDeps): void {
  const registry = createRegistry(deps);
  const requests = new Histogram({
    name: 'holdfast_http_request_seconds',
    help: 'Time to answer, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.5, 1, 5],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: String(reply.statusCode),
    };
    requests.observe(labels, reply.elapsedTime / 1000);
  });

  app.get('/api/metrics', async (request, reply) => {
    if (!isFromThisMachine(request)) {
      const principal = await deps.authenticate(request);
      refuseUnless(principal.roles.includes('admin'), {
        subject: principal.personId,
        object: 'metrics',
        action: 'read',
      });
    }
    const ofChecks = deps.backend()?.checks.figuresText() ?? '';
    return reply.type(registry.contentType).send(`${await registry.metrics()}${ofChecks}`);
  });
}
