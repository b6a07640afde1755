/** What commands on a responder that is there already have in common. */
import { idOf } from './fields.ts';

interface OfResponder {
  id: string;
  incidentId: string;
}

export const responderArgs = { id: idOf('responder'), incidentId: idOf('incident') };

export const OF_RESPONDER = {
  version: 1,
  area: 'responder',
  expiresAfterMs: null,
  touches: (args: OfResponder) => [args.incidentId, args.id],
  creates: () => [],
  precondition: () => null,
} as const;
