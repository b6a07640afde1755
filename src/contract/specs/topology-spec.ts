/** Topologies and their components (schema §6.1, §6.3). Fields that are not named here may follow. */
import { z } from 'zod';
import { selector, script, text, textMap } from './spec-parts.ts';

const word = z.string().optional();
/** A canary specification whose output defines something. */
const checks = z.looseObject({});
const selectors = z.array(selector).optional();

const property = z.looseObject({
  name: text.optional(),
  label: word,
  tooltip: word,
  icon: word,
  type: word,
  color: word,
  order: z.int().optional(),
  headline: z.boolean().optional(),
  text: text.optional(),
  value: z.number().optional(),
  unit: word,
  max: z.number().optional(),
  min: z.number().optional(),
  links: z.array(z.looseObject({ url: word, text: word, label: word, icon: word, type: word })).optional(),
  lookup: checks.optional(),
  configLookup: z
    .looseObject({ id: word, config: selector.optional(), field: word, display: script.optional() })
    .optional(),
  summary: z.looseObject({}).optional(),
});

const component = z.looseObject({
  name: text.optional(),
  namespace: word,
  type: word,
  icon: word,
  owner: word,
  tooltip: word,
  externalID: word,
  id: script.optional(),
  order: z.int().optional(),
  labels: textMap.optional(),
  hidden: z.boolean().optional(),
  lifecycle: word,
  relationships: z.array(z.looseObject({ type: word, ref: word })).optional(),
  properties: z.array(property).optional(),
  lookup: checks.optional(),
  get components() {
    return z.array(component).optional();
  },
  selectors,
  checks: z.array(z.looseObject({ selector: selector.optional(), inline: checks.optional() })).optional(),
  configs: selectors,
  get forEach() {
    return z
      .looseObject({
        components: z.array(component).optional(),
        properties: z.array(property).optional(),
        configs: selectors,
        selectors,
      })
      .optional();
  },
  logs: z.array(z.looseObject({ name: z.string(), type: word, labels: textMap.optional() })).optional(),
  parentLookup: z.looseObject({ name: word, namespace: word, type: word, externalID: word }).optional(),
  statusExpr: word,
  healthExpr: word,
  health: word,
  configID: word,
});

/** A topology's whole specification. */
export const topologySpecSchema = z.looseObject({
  type: word,
  id: script.optional(),
  schedule: word,
  icon: word,
  text: text.optional(),
  label: word,
  tooltip: word,
  owner: word,
  components: z.array(component).optional(),
  properties: z.array(property).optional(),
  configs: selectors,
  groupBy: z.looseObject({ tag: word, selector: selector.optional() }).optional(),
  healthExpr: word,
  statusExpr: word,
  push: z.looseObject({}).optional(),
});
