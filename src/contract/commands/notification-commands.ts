/** Commands on notifications: a silence that is made, a message that is sent again. */
import { z } from 'zod';
import { SILENCED } from '../../domain/notification/silenced-columns.ts';
import { silenceParts } from '../http/notifications/silence.ts';
import { defineCommand } from './define-command.ts';
import { idOf } from './fields.ts';

const instant = z.iso.datetime({ offset: true });

/**
 * Silences things from one instant to another. Its times are instants, so it means the same whenever it arrives; who
 * does not want it late sends it with an expiry.
 */
export const createSilence = defineCommand({
  name: 'create_silence',
  version: 1,
  args: z.object({ silenceId: idOf('silence'), ...silenceParts, from: instant, until: instant }),
  area: 'notifications',
  expiresAfterMs: null,
  touches: (args) => [args.silenceId],
  creates: (args) => [args.silenceId],
  precondition: () => null,
  effect: ({ silenceId, ...args }, { userId, at }) => [
    {
      kind: 'put',
      collection: 'resources',
      row: {
        id: silenceId,
        kind: 'silence',
        namespace: '',
        ...Object.fromEntries(SILENCED.map((column) => [column, args[column] ?? null])),
        selector: args.selector ?? null,
        filter: args.filter ?? null,
        recurrence: args.recurrence ?? null,
        description: args.description ?? null,
        recursive: args.recursive ?? false,
        from: args.from,
        until: args.until,
        source: 'UI',
        created_by: userId,
        created_at: at,
        updated_at: at,
      },
    },
  ],
});

/** Sends a message again that failed for good. */
export const retryNotification = defineCommand({
  name: 'retry_notification',
  version: 1,
  args: z.object({ historyId: idOf('notification') }),
  area: 'notifications',
  expiresAfterMs: null,
  touches: (args) => [args.historyId],
  creates: () => [],
  precondition: () => null,
  effect: ({ historyId }) => [
    {
      kind: 'set',
      collection: 'notification_history',
      id: historyId,
      fields: { status: 'pending', error: null },
    },
  ],
});
