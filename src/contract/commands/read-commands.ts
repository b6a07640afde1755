/** How far somebody has read an incident: told to their other devices, so that nothing is new twice. */
import { z } from 'zod';
import { defineCommand } from './define-command.ts';
import { idOf } from './fields.ts';

export const markIncidentRead = defineCommand({
  name: 'mark_incident_read',
  version: 1,
  /** `readAt`: when the newest came that was seen; the server lets it move forward only. */
  args: z.object({
    id: idOf('record'),
    incidentId: idOf('incident'),
    readAt: z.iso.datetime({ offset: true }),
  }),
  area: 'incident',
  isForReaders: true,
  dedupeKey: (args) => args.incidentId,
  expiresAfterMs: null,
  // Not the incident: nothing that somebody wrote waits for a mark.
  touches: (args) => [args.id],
  creates: () => [],
  precondition: () => null,
  effect: ({ id: rowId, incidentId, readAt }, { userId, at }) => [
    {
      kind: 'put',
      collection: 'incident_records',
      row: {
        id: rowId,
        kind: 'read',
        incident_id: incidentId,
        person_id: userId,
        read_at: readAt,
        created_by: userId,
        created_at: at,
      },
    },
  ],
});
