/** notification: one message to a service, by the senders that rules use, too (schema §7.4). */
import type { z } from 'zod';
import { PLAYBOOK_ACTIONS } from '../../../src/contract/specs/playbook-spec.ts';
import { sendNotification } from '../../notifications/senders/send-notification.ts';
import { urlText } from '../templates/url-text.ts';
import { registered } from './action-kind.ts';
import type { ActionContext, ActionOutcome, RenderContext } from './action-kind.ts';

type NotificationSpec = z.output<typeof PLAYBOOK_ACTIONS.notification>;

interface Rendered {
  url: string;
  connection: string;
  title: string;
  message: string;
  properties: Record<string, string>;
}

async function render(spec: NotificationSpec, context: RenderContext): Promise<Rendered> {
  const properties: Record<string, string> = {};
  for (const [name, value] of Object.entries(spec.properties ?? {}))
    properties[name] = await context.value(value);
  return {
    url: urlText(await context.pieces(spec.url ?? '')).url,
    connection: spec.connection ?? '',
    title: await context.fill(spec.title),
    message: await context.fill(spec.message),
    properties,
  };
}

async function run(rendered: Rendered, context: ActionContext): Promise<ActionOutcome> {
  const { url, connection, title, message, properties } = rendered;
  const outgoing = { key: context.actionId, title, body: message, properties };
  const { signal, platform } = context;
  const deps = { scope: context, signal, now: () => platform.now() };
  const outcome = await sendNotification({ url, connection }, outgoing, deps);
  const result = { title, message, sent: outcome.kind === 'sent' };
  return { error: outcome.kind === 'sent' ? null : outcome.reason, result };
}

/** A message. */
export const notificationAction = registered({
  name: 'notification',
  schema: PLAYBOOK_ACTIONS.notification,
  render,
  run,
});
