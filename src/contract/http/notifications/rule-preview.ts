/** `POST /api/notifications/preview`: what a rule would say of the last such event, before it is saved; writes nothing. */
import { z } from 'zod';
import { RULE_EVENTS } from '../../../domain/notification/notification-rule.ts';

const LONGEST = 20_000;
const isEvent = (name: string) => (RULE_EVENTS as readonly string[]).includes(name);

export const previewSchema = z.object({
  event: z.string().refine(isEvent, 'is not an event'),
  filter: z.string().max(LONGEST).nullable(),
  title: z.string().max(LONGEST).nullable(),
  template: z.string().max(LONGEST).nullable(),
});
export type PreviewRequest = z.output<typeof previewSchema>;

export const previewedSchema = z.object({
  /** What the text is about; null where there is nothing yet that such an event could be about. */
  about: z.object({ kind: z.string(), id: z.string(), name: z.string() }).nullable(),
  /** When such an event was last told of, ISO; null where the newest thing of its kind stands in. */
  at: z.string().nullable(),
  /** As it would be sent: the usual text where a template fails. */
  title: z.string(),
  body: z.string(),
  /** Whether the filter lets it pass; null where the filter fails. */
  isTold: z.boolean().nullable(),
  problems: z.array(z.object({ field: z.enum(['filter', 'title', 'template']), message: z.string() })),
});
export type Previewed = z.output<typeof previewedSchema>;
