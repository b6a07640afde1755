/** Queries of the catalog's pages beyond what is replicated (contract §6.1, §6.5, §6.6, §7). */
import { z } from 'zod';
import { NO_QUESTION, type ChangesQuestion } from '../../domain/catalog/changes-search.ts';
import { changesAnswerSchema } from '../http/catalog/config-changes.ts';
import {
  changeDetailSchema,
  configDetailSchema,
  linkedChecksSchema,
  linkedComponentsSchema,
  linkedConfigsSchema,
} from '../http/catalog/config-item.ts';
import { catalogSummaryQuestionSchema, catalogSummarySchema } from '../http/catalog/catalog-summary.ts';
import { idOf } from '../ids.ts';
import { changesQuestionSchema } from './live-arguments.ts';
import { cachedQuery } from './query-definition.ts';

const ofConfig = z.object({ configId: idOf('config') });
const afterActions = () => ['actions'] as const;

/** Parts of a search that say what they always say are left out. */
function changesKey(question: ChangesQuestion): string {
  const parts = Object.entries(question).filter(
    ([key, value]) => value !== NO_QUESTION[key as keyof ChangesQuestion],
  );
  return `changes:${JSON.stringify(Object.fromEntries(parts))}`;
}

export const CATALOG_QUERIES = {
  /** An item with its body. */
  'config-detail': cachedQuery({
    // Another version of the replicated row is another question: its body is asked for anew.
    args: z.object({ configId: idOf('config'), version: z.string() }),
    result: configDetailSchema,
    cacheKey: ({ configId }) => `config_detail:${configId}`,
    dependsOn: afterActions,
  }),
  /** A change with its diff. */
  'change-detail': cachedQuery({
    args: z.object({ changeId: idOf('change') }),
    result: changeDetailSchema,
    cacheKey: ({ changeId }) => `config_change:${changeId}`,
    dependsOn: afterActions,
  }),
  /** The checks that are linked to an item. */
  'config-checks': cachedQuery({
    args: ofConfig,
    result: linkedChecksSchema,
    cacheKey: ({ configId }) => `config_checks:${configId}`,
    dependsOn: afterActions,
  }),
  /** The components that an item is linked to. */
  'config-components': cachedQuery({
    args: ofConfig,
    result: linkedComponentsSchema,
    cacheKey: ({ configId }) => `config_components:${configId}`,
    dependsOn: afterActions,
  }),
  /** The items that a component is linked to. */
  'component-configs': cachedQuery({
    args: z.object({ componentId: idOf('component') }),
    result: linkedConfigsSchema,
    cacheKey: ({ componentId }) => `component_configs:${componentId}`,
    dependsOn: () => ['components', 'actions'],
  }),
  /** A page of the search over changes. */
  changes: cachedQuery({
    args: changesQuestionSchema,
    result: changesAnswerSchema,
    cacheKey: changesKey,
    dependsOn: () => ['config_changes', 'actions'],
  }),
  /** The catalog summed up by the server over 30 days. */
  'catalog-summary': cachedQuery({
    args: catalogSummaryQuestionSchema,
    result: catalogSummarySchema,
    cacheKey: (question) => `catalog-summary:${JSON.stringify(question)}`,
  }),
};
