/** Commands on an incident's definition of done (spec 3 §2 'Definition of done section'). */
import { z } from 'zod';
import { defineCommand } from './define-command.ts';
import { idOf } from './fields.ts';

/**
 * Has the server evaluate the incident's scripts now. Late is as good as in time: it looks at how things are then,
 * and it does so every few minutes anyway.
 */
export const evaluateDone = defineCommand({
  name: 'evaluate_done',
  version: 1,
  args: z.object({ incidentId: idOf('incident') }),
  area: 'evidences',
  expiresAfterMs: null,
  touches: (args) => [args.incidentId],
  creates: () => [],
  precondition: () => null,
  effect: () => [],
});
