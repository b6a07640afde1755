/** Names that filters and templates may ask for (schema §7.1): each is there, null where the event has none. */
export const ENVIRONMENT_NAMES = [
  'check',
  'canary',
  'status',
  'config',
  'component',
  'incident',
  'evidence',
  'hypothesis',
  'responder',
  'comment',
  'author',
  'agent',
  'playbook',
  'run',
] as const;

/** All of them, null. */
export const emptyEnvironment = (): Record<string, unknown> =>
  Object.fromEntries(ENVIRONMENT_NAMES.map((name) => [name, null]));
