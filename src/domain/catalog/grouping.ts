/** What the catalog is grouped by, as links write it (contract §19.4): tags carry `__tag`. */

const TAG = 'tag:';
const TAG_SUFFIX = '__tag';
const NAMES = new Set(['config_class', 'type', 'name', 'analysis', 'changed']);
/** The link's word for an ungrouped list of everything. */
const NONE = 'none';

export const DEFAULT_GROUPS: readonly string[] = ['config_class', 'type'];

/** The name of grouping by a tag. */
export function tagGroup(key: string): string {
  return `${TAG}${key}`;
}

/** The tag that a group key is about; null for other keys. */
export function tagOfGroup(by: string): string | null {
  return by.startsWith(TAG) ? by.slice(TAG.length) : null;
}

/** Null when the link says nothing; empty for no groups. */
export function parseGroups(text: string): string[] | null {
  if (text === NONE) return [];
  const found = text.split(',').flatMap((part) => {
    if (part.endsWith(TAG_SUFFIX) && part.length > TAG_SUFFIX.length)
      return [tagGroup(part.slice(0, -TAG_SUFFIX.length))];
    const name = part === 'provider' ? 'config_class' : part;
    return NAMES.has(name) ? [name] : [];
  });
  return found.length === 0 ? null : [...new Set(found)];
}

/** As links have it; `parseGroups` reads it back. */
export function writeGroups(groups: readonly string[]): string {
  if (groups.length === 0) return NONE;
  return groups
    .map((by) => {
      const tag = tagOfGroup(by);
      return tag === null ? by : `${tag}${TAG_SUFFIX}`;
    })
    .join(',');
}
