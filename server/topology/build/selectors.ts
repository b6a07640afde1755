/** Selectors of topology documents as the search knows them (schema §5.1). */
import type { SpecSelector } from '../../../src/contract/specs/topology-spec.ts';
import type { ResourceSelector } from '../../../src/domain/selector/resource-selector.ts';

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
