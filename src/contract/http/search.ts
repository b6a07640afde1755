/** `POST /resources/search` (contract §12, schema §5.1). */
import { z } from 'zod';

const MAX_SELECTORS = 50;
const MAX_TEXT = 1000;
const MAX_ROWS = 1000;
const text = z.string().max(MAX_TEXT).nullish();
const texts = z.array(z.string().max(MAX_TEXT)).max(MAX_SELECTORS).nullish();
const count = z.int().positive().max(MAX_ROWS);

export const resourceSelectorSchema = z.object({
  id: text,
  name: text,
  namespace: text,
  agent: text,
  scope: text,
  types: texts,
  statuses: texts,
  health: text,
  labelSelector: text,
  tagSelector: text,
  fieldSelector: text,
  search: text,
  limit: count.nullish(),
  includeDeleted: z.boolean().nullish(),
  /** Asked for by callers that keep answers; ours are made new each time. */
  cache: text,
});

const selectors = z.array(resourceSelectorSchema).max(MAX_SELECTORS).optional();

export const resourceSearchSchema = z.object({
  limit: count.default(100),
  configs: selectors,
  components: selectors,
  checks: selectors,
  canaries: selectors,
  playbooks: selectors,
  connections: selectors,
  config_changes: selectors,
});
