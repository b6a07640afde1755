/** `POST /notification/silence` (contract §9, schema §7.2). */
import { z } from 'zod';

const MAX_DESCRIPTION = 10_000;
const MAX_EXPRESSION = 5_000;
const MAX_WINDOWS = 20;
const id = z.guid('must be an id').nullish();
const moment = (name: string) =>
  z.string(`is missing: say when the silence ${name}, such as now+2h or 2026-01-31T12:00:00Z`).trim().min(1);

const emptyAsNone = (value: unknown) => (value === '' ? null : value);

/** Hours of the day that a silence is held to; what they say is held against `silenceProblems`. */
const recurrence = z.array(z.unknown()).max(MAX_WINDOWS).nullish();

/** What a silence says beside its times. */
export const silenceParts = {
  config_id: z.preprocess(emptyAsNone, id),
  component_id: z.preprocess(emptyAsNone, id),
  check_id: z.preprocess(emptyAsNone, id),
  canary_id: z.preprocess(emptyAsNone, id),
  /** Labels, as `env=prod,team in (a,b)`. */
  selector: z.string().max(MAX_EXPRESSION).nullish(),
  /** CEL over the environment of rules. */
  filter: z.string().max(MAX_EXPRESSION).nullish(),
  recurrence,
  description: z.string().max(MAX_DESCRIPTION).nullish(),
  recursive: z.boolean().nullish(),
};

export const silenceSchema = z.object({
  ...silenceParts,
  /** Date math or a time. */
  from: moment('begins'),
  until: moment('ends'),
});
