/** What sets playbooks off by itself, wired: events for the queue, schedules as a loop, webhooks for the routes. */
import { runLoop } from '../../platform/jobs/background-loop.ts';
import type { EventHandler } from '../../platform/jobs/event-queue.ts';
import type { Leases } from '../../platform/jobs/leases.ts';
import type { JobMetrics } from '../../platform/jobs/job-metrics.ts';
import type { PlaybookService } from '../running/playbook-service.ts';
import { eventHandlers } from './event-triggers.ts';
import { scheduleLoop } from './schedule-loop.ts';
import type { WebhookDeps } from './webhook-routes.ts';

export interface TriggerService {
  /** For the event queue, by name of the event; each is noted only while a playbook wants it. */
  handlers: ReadonlyMap<string, EventHandler>;
  webhooks: WebhookDeps;
  /** Starts what is due by its schedule, until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

interface TriggerServiceDeps extends Omit<WebhookDeps, 'expressions' | 'wake'> {
  playbooks: Pick<PlaybookService, 'expressions' | 'wake'>;
  leases: Pick<Leases, 'role'>;
  metrics?: JobMetrics;
}

/** Before the leases start: schedules are one server's. */
export function createTriggerService(given: TriggerServiceDeps): TriggerService {
  const { playbooks, leases } = given;
  const deps: WebhookDeps = { ...given, expressions: playbooks.expressions, wake: () => playbooks.wake() };
  const loop = scheduleLoop(leases.role('playbook schedules'), deps);
  return {
    handlers: eventHandlers(deps),
    webhooks: deps,
    run: (signal) => runLoop(given, loop, signal),
  };
}
