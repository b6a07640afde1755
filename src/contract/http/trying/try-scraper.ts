/** Trying a scraper before anybody keeps it (`POST /config/try`): it reads once, and nothing is written. */
import { z } from 'zod';

/** A scraper's specification as it stands in a form; its schedule does not matter. */
export const tryScraperSchema = z.object({
  /** The scraper that is being changed: what it keeps secret is used where the form shows stars. */
  id: z.guid().nullish(),
  name: z.string().max(500).default(''),
  namespace: z.string().max(500).default('default'),
  spec: z.record(z.string(), z.unknown()),
});
export type TryScraper = z.input<typeof tryScraperSchema>;

/** What an entry went through: it was read, its transform applied, items made of what came out. */
const stepSchema = z.object({
  step: z.enum(['read', 'transform', 'items']),
  ok: z.boolean(),
  text: z.string(),
});

const itemSchema = z.object({
  type: z.string(),
  name: z.string(),
  id: z.string(),
  health: z.string().nullable(),
  status: z.string().nullable(),
  /** Its configuration as it would be kept, as JSON; cut where it is long. */
  config: z.string(),
  is_config_cut: z.boolean(),
});

export const triedEntrySchema = z.object({
  /** `http[0]` */
  field: z.string(),
  kind: z.string(),
  ok: z.boolean(),
  steps: z.array(stepSchema),
  /** The first ones; `item_count` says how many there are. */
  items: z.array(itemSchema),
  item_count: z.number(),
  change_count: z.number(),
  analysis_count: z.number(),
  errors: z.array(z.string()),
  warnings: z.array(z.string()),
});
export type TriedEntry = z.output<typeof triedEntrySchema>;

export const triedScraperSchema = z.object({
  duration_ms: z.number(),
  entries: z.array(triedEntrySchema),
});
export type TriedScraper = z.output<typeof triedScraperSchema>;
