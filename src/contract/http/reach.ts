/** How a person is reached: their own settings, and what is known of whether a message would arrive. */
import { z } from 'zod';
import { MAIL_CHOICES } from '../../domain/notification/reach.ts';
import { isTimeZone } from '../../domain/incident/rule-hours.ts';

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/;
const clock = z.string().regex(CLOCK, 'is a time such as 22:00');

/** `POST /api/notifications/reach/settings`; the profile's form holds to it as well. */
export const reachSettingsSchema = z
  .object({
    push: z.boolean(),
    mail: z.enum(MAIL_CHOICES),
    quiet: z
      .object({
        start: clock,
        end: clock,
        tz: z.string().refine(isTimeZone, 'is not a time zone that is known here'),
      })
      .refine(({ start, end }) => start !== end, { message: 'must differ from the start', path: ['end'] })
      .nullable(),
    urgentPasses: z.boolean(),
  })
  .refine(({ push, mail }) => push || mail !== 'never', {
    message: 'One way has to be left: notifications on your devices, or mail',
    path: ['mail'],
  });

const factsSchema = z.object({
  devices: z.number(),
  seenAt: z.string().nullable(),
  test: z.object({ at: z.string(), isShown: z.boolean() }).nullable(),
  settings: reachSettingsSchema,
  hasAddress: z.boolean(),
  hasMail: z.boolean(),
});

/** `GET /api/notifications/reach`: one's own, and of the teams that one leads. */
export const reachSchema = z.object({
  own: factsSchema,
  devices: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      seenAt: z.string(),
      test: z.object({ at: z.string(), isShown: z.boolean() }).nullable(),
    }),
  ),
  teams: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      people: z.array(z.object({ id: z.string(), name: z.string(), facts: factsSchema })),
    }),
  ),
});
export type Reach = z.output<typeof reachSchema>;
export type ReachDevice = Reach['devices'][number];

/** What the profile asks; offline it is refused. */
export const reachCallSchema = z.discriminatedUnion('do', [
  z.object({ do: z.literal('read') }),
  z.object({ do: z.literal('save'), settings: reachSettingsSchema }),
  z.object({ do: z.literal('test'), deviceId: z.string() }),
]);
export type ReachCall = z.input<typeof reachCallSchema>;
