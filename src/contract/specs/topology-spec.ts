/** Topologies and their components (schema §6.1, §6.3). Fields that are not named here may follow. */
import { z } from 'zod';
import { selector as resourceSelector, script, text, textMap } from './spec-parts.ts';

const word = z.string().optional();
/** A canary specification whose output defines something. */
const lookup = z.looseObject({}).describe('Checks whose output says what there is');
/** What components, checks and items a document means; items by their tags as well. */
export const selector = z.looseObject({ ...resourceSelector.shape, tags: textMap.optional() });
const selectors = z.array(selector).optional();

const property = z.looseObject({
  name: text.optional(),
  label: word,
  namespace: word,
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
  status: word,
  lastTransition: word,
  url: word,
  links: z
    .array(z.looseObject({ url: word, text: word, label: word, icon: word, type: word, tooltip: word }))
    .optional(),
  lookup: lookup.optional(),
  configLookup: z
    .looseObject({ id: word, config: selector.optional(), field: word, display: script.optional() })
    .optional(),
  summary: script.optional().describe('The text, from what was summed up under the component'),
});

const checks = z
  .array(z.looseObject({ selector: selector.optional(), inline: z.looseObject({}).optional() }))
  .optional();
const relationships = z.array(z.looseObject({ type: word, ref: z.string() })).optional();
const logs = z.array(z.looseObject({ name: z.string(), type: word, labels: textMap.optional() })).optional();
const parentLookup = z.looseObject({ name: word, namespace: word, type: word, externalID: word }).optional();

const component = z
  .looseObject({
    name: text.optional(),
    namespace: word,
    type: word,
    icon: word,
    owner: word,
    tooltip: word,
    externalID: word,
    id: script.optional().describe('How outer systems call it'),
    order: z.int().optional(),
    labels: textMap.optional(),
    hidden: z.boolean().optional(),
    lifecycle: word,
    properties: z.array(property).optional(),
    lookup: lookup.optional(),
    get components() {
      return z.array(component).optional();
    },
    selectors,
    checks,
    configs: selectors,
    relationships,
    logs,
    parentLookup,
    get forEach() {
      return z
        .looseObject({
          components: z.array(component).optional(),
          properties: z.array(property).optional(),
          configs: selectors,
          selectors,
          relationships,
          checks,
        })
        .optional();
    },
    statusExpr: word,
    healthExpr: word,
    health: word,
    status: word,
    configID: word,
    summary: z
      .looseObject({
        healthy: z.int().optional(),
        unhealthy: z.int().optional(),
        warning: z.int().optional(),
        info: z.int().optional(),
      })
      .optional(),
  })
  .meta({
    examples: [{ name: '', type: '', icon: '', selectors: [], checks: [], configs: [], components: [] }],
  });

/** What hangs on a component, alone. */
export const componentLinksSchema = z.looseObject({
  selectors,
  checks,
  configs: selectors,
  relationships,
  logs,
  parentLookup,
});

/** What a component may have. */
export const COMPONENT_FIELDS: readonly string[] = Object.keys(component.shape);

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

export type TopologySpec = z.infer<typeof topologySpecSchema>;
export type ComponentSpec = z.infer<typeof component>;
export type ComponentLinks = z.infer<typeof componentLinksSchema>;
export type PropertySpec = z.infer<typeof property>;
export type SpecSelector = z.infer<typeof selector>;
