/** Teams, what happens in the catalog, incidents, playbooks, notifications and the events they follow. */
import { CATALOG_TABLES } from './0003-operations-catalog-tables.ts';
import { EVENT_TRIGGERS } from './0003-operations-events.ts';
import { INCIDENT_TABLES } from './0003-operations-incident-tables.ts';
import { INCIDENT_TRIGGERS } from './0003-operations-incident-triggers.ts';
import { PEOPLE_TABLES } from './0003-operations-people-tables.ts';
import { NOTIFICATION_TABLES, PLAYBOOK_TABLES } from './0003-operations-playbook-tables.ts';
import { CATALOG_TRIGGERS, COMMON_TRIGGERS, PEOPLE_TRIGGERS } from './0003-operations-triggers.ts';
import { OPERATIONS_VIEWS } from './0003-operations-views.ts';

export const up: string = [
  PEOPLE_TABLES,
  CATALOG_TABLES,
  INCIDENT_TABLES,
  PLAYBOOK_TABLES,
  NOTIFICATION_TABLES,
  COMMON_TRIGGERS,
  PEOPLE_TRIGGERS,
  CATALOG_TRIGGERS,
  INCIDENT_TRIGGERS,
  EVENT_TRIGGERS,
  OPERATIONS_VIEWS,
].join('\n');
