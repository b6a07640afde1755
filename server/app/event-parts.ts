/** Everything that follows from events, put together: the queue, and whoever handles what stands in it. */
import type { ChangeNotifier } from '../platform/jobs/change-notifier.ts';
import type { SecretReader } from '../connections/connection-values.ts';
import type { Opener } from '../platform/crypto/sealed-values.ts';
import type { LeaseQueueDeps } from '../platform/jobs/lease-queue.ts';
import type { EgressGuard } from '../platform/egress/egress-guard.ts';
import type { MailTransport } from '../platform/mail/mail-transport.ts';
import { createResponderService } from '../incidents/responders/responder-service.ts';
import type { Settings } from '../platform/settings/settings.ts';
import { createEventQueue, type EventHandler } from '../platform/jobs/event-queue.ts';

/** Tables whose triggers note the events that are handled here. */
const SOURCES = new Set([
  'incidents',
  'responders',
  'comments',
  'checks',
  'config_items',
  'config_changes',
  'components',
]);

interface EventPartsDeps extends LeaseQueueDeps {
  notifier: ChangeNotifier;
  settings: Pick<Settings, 'smtpUrl' | 'isDemo'>;
  outside: { guard: EgressGuard; secret: SecretReader; sealer: Opener };
  mailbox: Pick<MailTransport, 'send' | 'isFile'>;
  publicUrl: () => string;
  /** Noted only while a row wants them (event_demands). */
  onDemand?: ReadonlyMap<string, EventHandler>;
}

export interface EventParts {
  /** Until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Does what is due now, from events to calls; answers how much that was. */
  settle(signal: AbortSignal): Promise<number>;
}

/** Wires them; nothing is taken from the queue until it is started. */
export function createEventParts(deps: EventPartsDeps): EventParts {
  const { notifier, platform, settings, outside, mailbox, publicUrl } = deps;
  const responders = createResponderService({
    ...deps,
    ...outside,
    // Without a mail server nobody would get it; the demo shows its mails on a page.
    mail: settings.smtpUrl !== null || settings.isDemo ? mailbox : null,
    now: () => platform.now(),
    publicUrl,
    notify: (...tables) => notifier.notify(...tables),
  });
  const { onDemand = new Map<string, EventHandler>() } = deps;
  const queue = createEventQueue({ ...deps, handlers: responders.handlers, onDemand, wakesOn: SOURCES });
  return {
    async run(signal) {
      await Promise.all([queue.run(signal), responders.run(signal)]);
    },
    async settle(signal) {
      return (await queue.drain()) + (await responders.work(signal));
    },
  };
}
