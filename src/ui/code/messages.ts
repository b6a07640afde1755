import { formatCount } from '../../domain/format-count.ts';

/** What is said of YAML and of differences. */
export const messages = {
  isNumber: 'This field must be a number',
  needsOne: (keys: readonly string[]) => `Fill in one of these: ${keys.join(', ')}`,
  onlyOne: (keys: readonly string[]) => `Only one of these can be there: ${keys.join(', ')}`,
  unknownKey: (meant: string | null) =>
    meant === null ? 'is not a field here' : `is not a field here; did you mean "${meant}"?`,
  wrongForm: 'does not have the form that is read here',
  moreLines: (count: number) => (count === 1 ? 'Show 1 more line' : `Show ${formatCount(count)} more lines`),
  yaml: 'Specification as YAML',
} as const;
