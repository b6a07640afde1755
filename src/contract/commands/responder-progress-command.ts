/** How far a responder is. The times are the server's; this device shows its own until it hears them. */
import { z } from 'zod';
import { PROGRESS_STEPS } from '../../domain/incident/responder-progress.ts';
import { defineCommand } from './define-command.ts';
import { OF_RESPONDER, responderArgs } from './of-responder.ts';

/** Takes a step, or takes it back (spec 3 §4 'Responder progress'). A step that was taken keeps its first time. */
export const setResponderProgress = defineCommand({
  name: 'set_responder_progress',
  ...OF_RESPONDER,
  args: z.object({ ...responderArgs, step: z.enum(PROGRESS_STEPS), isSet: z.boolean() }),
  effect: (args, { at }) => [
    {
      kind: 'set',
      collection: 'incident_records',
      id: args.id,
      fields: { [args.step]: args.isSet ? at : null },
    },
  ],
});
