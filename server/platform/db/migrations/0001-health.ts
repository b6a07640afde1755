/** Everything that the health dashboard and the check drawer read and write. */
import { CHECK_TABLES } from './0001-health-check-tables.ts';
import { CATALOG_TABLES, FUNCTIONS, PEOPLE_TABLES } from './0001-health-tables.ts';
import { TRIGGERS } from './0001-health-triggers.ts';
import { CATALOG_VIEWS, HEALTH_VIEWS } from './0001-health-views.ts';

export const up: string = [
  FUNCTIONS,
  PEOPLE_TABLES,
  CATALOG_TABLES,
  CHECK_TABLES,
  TRIGGERS,
  HEALTH_VIEWS,
  CATALOG_VIEWS,
].join('\n');
