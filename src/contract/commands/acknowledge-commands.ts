/** Somebody knows, and is not told again: from a page, or from the lock screen while the app is closed. */
import { z } from 'zod';
import { ACKNOWLEDGED_KINDS, type AcknowledgedKind } from '../../domain/notification/acknowledgement.ts';
import type { CollectionName } from '../collections.ts';
import { defineCommand } from './define-command.ts';
import { idOf } from './fields.ts';

/** Where the rows of what is acknowledged are kept. */
export const ACKNOWLEDGED_COLLECTION = {
  check: 'checks',
  incident: 'incidents',
  config: 'configs',
  component: 'components',
} as const satisfies Readonly<Record<AcknowledgedKind, CollectionName>>;

const subject = {
  id: idOf('acknowledgement'),
  kind: z.enum(ACKNOWLEDGED_KINDS),
  resourceId: z.guid(),
};

/**
 * With `until` a snooze until then; without one it holds until the thing is well again. `messageId`: of the pushed
 * message in which somebody tapped it; that one counts as acted on. One that arrives when there is nothing left to
 * acknowledge, or its time is over, does nothing.
 */
export const acknowledge = defineCommand({
  name: 'acknowledge',
  version: 1,
  args: z.object({
    ...subject,
    until: z.iso.datetime({ offset: true }).nullable().default(null),
    messageId: z.guid().nullable().default(null),
  }),
  area: 'responder',
  expiresAfterMs: null,
  touches: (args) => [args.resourceId, args.id],
  creates: (args) => [args.id],
  precondition: () => null,
  effect: ({ id, kind, resourceId, until }, { userId, at }) => [
    {
      kind: 'put',
      collection: 'resources',
      row: {
        id,
        kind: 'acknowledgement',
        about: kind,
        resource_id: resourceId,
        person_id: userId,
        until,
        created_by: userId,
        created_at: at,
        updated_at: at,
      },
    },
  ],
});

/** Takes an acknowledgement or a snooze back: what happens is told again. */
export const endAcknowledgement = defineCommand({
  name: 'end_acknowledgement',
  version: 1,
  args: z.object(subject),
  area: 'responder',
  expiresAfterMs: null,
  touches: (args) => [args.resourceId, args.id],
  creates: () => [],
  precondition: () => null,
  effect: ({ id }) => [{ kind: 'remove', collection: 'resources', id }],
});
