/** Rows of the catalog that are read of the server on demand (contract §6.4). */
import { z } from 'zod';

const text = z.string();
const maybeText = z.string().nullish();

/** An item that was deleted too long ago to be kept on a device. */
export const oldConfigSchema = z.looseObject({
  id: text,
  name: maybeText,
  type: maybeText,
  status: maybeText,
  health: maybeText,
  deleted_at: maybeText,
});
export type OldConfigRow = z.output<typeof oldConfigSchema>;

/** An insight of any status; its analysis comes only when one is asked for. */
export const insightRowSchema = z.looseObject({
  id: text,
  config_id: maybeText,
  analysis_type: maybeText,
  analyzer: maybeText,
  severity: maybeText,
  status: maybeText,
  summary: maybeText,
  message: maybeText,
  source: maybeText,
  analysis: z.unknown(),
  first_observed: maybeText,
  last_observed: maybeText,
  config: z.looseObject({ id: text, name: maybeText, type: maybeText }).nullish(),
});
export type InsightViewRow = z.output<typeof insightRowSchema>;

/** A row of related_configs_recursive (contract §6.3). */
export const relatedConfigRowSchema = z.looseObject({
  id: text,
  name: maybeText,
  type: maybeText,
  status: maybeText,
  health: maybeText,
  tags: z.record(z.string(), z.unknown()).nullish(),
  changes: z.coerce.number().nullish(),
  deleted_at: maybeText,
});
export type RelatedConfigRow = z.output<typeof relatedConfigRowSchema>;
