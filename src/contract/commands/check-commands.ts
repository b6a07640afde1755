/** Commands on checks. */
import { z } from 'zod';
import { defineCommand } from './define-command.ts';
import { idOf } from './fields.ts';

/** Long enough for a tunnel, short enough that nothing runs when nobody expects it (law 9). */
const RUN_EXPIRES_MS = 2 * 60_000;

/** Runs a check now. Its effect is outside, so it never fires late. */
export const runCheck = defineCommand({
  name: 'run_check',
  version: 1,
  args: z.object({ checkId: idOf('check') }),
  area: null,
  expiresAfterMs: RUN_EXPIRES_MS,
  touches: (args) => [args.checkId],
  creates: () => [],
  precondition: () => null,
  effect: () => [],
});
