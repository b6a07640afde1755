/** All queries that the sync worker answers, by name; workers/sync/queries/<name>.ts does it. */
import { CATALOG_QUERIES } from './catalog-queries.ts';
import { CHECK_QUERIES } from './check-queries.ts';
import { DEVICE_QUERIES } from './device-queries.ts';
import { PLAYBOOK_QUERIES } from './playbook-queries.ts';
import { SETTINGS_QUERIES } from './settings-queries.ts';

export const SYNC_QUERIES = {
  ...CHECK_QUERIES,
  ...CATALOG_QUERIES,
  ...PLAYBOOK_QUERIES,
  ...SETTINGS_QUERIES,
  ...DEVICE_QUERIES,
};
