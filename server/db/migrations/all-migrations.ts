/** Every migration, in the order in which they run. Numbers are never reused, applied ones never edited. */
import * as health from './0001-health.ts';
import * as identity from './0002-identity.ts';

export interface Migration {
  name: string;
  /** One or more statements. */
  up: string;
}

export const ALL_MIGRATIONS: readonly Migration[] = [
  { name: '0001-health', up: health.up },
  { name: '0002-identity', up: identity.up },
];
