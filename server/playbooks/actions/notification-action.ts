/** notification: one message to a service, by the senders that rules use, too (schema §7.4). */
import type { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import { PLAYBOOK_ACTIONS } from '../../../src/contract/specs/playbook-spec.ts';
import { sendNotification } from '../../notifications/senders/send-notification.ts';
import { isPlaybookWebhook } from '../run-header.ts';
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

/** A message carries no run: a playbook that calls itself by one would go round without end. */
async function refuseOwnWebhook({ url, connection }: Rendered, context: ActionContext): Promise<void> {
  const kept = connection === '' ? null : await context.connection(connection);
  if (isPlaybookWebhook(url) || isPlaybookWebhook(kept?.url ?? ''))
    throw new AppError(
      'invalid',
      'notification: the webhook of a playbook is called by an http action, so that a playbook in a circle is known',
    );
}

async function run(rendered: Rendered, context: ActionContext): Promise<ActionOutcome> {
  const { url, connection, title, message, properties } = rendered;
  await refuseOwnWebhook(rendered, context);
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
