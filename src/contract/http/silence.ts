/** `POST /notification/silence` (contract §9, schema §7.2). */
import { z } from 'zod';

const MAX_DESCRIPTION = 10_000;
const id = z.guid('must be an id').nullish();
const moment = (name: string) =>
  z.string(`is missing: say when the silence ${name}, such as now+2h or 2026-01-31T12:00:00Z`).trim().min(1);

/** What a silence is about; a form sends the others empty. */
export const SILENCED = ['config_id', 'component_id', 'check_id', 'canary_id'] as const;
export type SilencedColumn = (typeof SILENCED)[number];

const emptyAsNone = (value: unknown) => (value === '' ? null : value);

export const silenceSchema = z.object({
  config_id: z.preprocess(emptyAsNone, id),
  component_id: z.preprocess(emptyAsNone, id),
  check_id: z.preprocess(emptyAsNone, id),
  canary_id: z.preprocess(emptyAsNone, id),
  /** Date math or a time. */
  from: moment('begins'),
  until: moment('ends'),
  description: z.string().max(MAX_DESCRIPTION).nullish(),
  recursive: z.boolean().nullish(),
});
