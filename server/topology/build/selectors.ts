/** Selectors of topology documents as the search knows them (schema §5.1). */
import type { SpecSelector } from '../../../src/contract/specs/topology-spec.ts';
import { readSelector, type ResourceSelector } from '../../../src/domain/selector/resource-selector.ts';
import { fieldPath, type DocumentProblem } from '../../platform/yaml/document-problems.ts';

/** What a document says, in the form of a search; its tags are a tag selector. */
export function resourceSelectorOf(selector: SpecSelector): ResourceSelector {
  const { name, types, statuses, type, tags, tagSelector, ...rest } = selector;
  const pairs = Object.entries(tags ?? {}).map(([key, value]) => `${key}=${String(value)}`);
  const tagText = [tagSelector ?? '', ...pairs].filter((part) => part !== '').join(',');
  return {
    ...rest,
    ...(tagText === '' ? {} : { tagSelector: tagText }),
    statuses: (statuses ?? []).map(String),
    name: name === undefined ? undefined : String(name),
    types: [...(types ?? []).map(String), ...(type === undefined ? [] : [type])],
  };
}

/** What of it can't be read. */
export function selectorProblems(selector: SpecSelector, path: readonly PropertyKey[]): DocumentProblem[] {
  const reading = readSelector(resourceSelectorOf(selector));
  if (reading.kind !== 'unreadable') return [];
  const message = `${JSON.stringify(reading.part)} is not a selector such as app=shop,tier!=test`;
  return [{ field: fieldPath([...path, reading.field]), message }];
}
