import { LIVE_QUERIES } from '../../../src/contract/queries/live-queries.ts';
import { openIncidentList } from '../incidents/incident-list.ts';
import { handleDifferences } from '../subscriptions/live-handler.ts';

export const query = handleDifferences(LIVE_QUERIES['live-incidents'], ({ live }, asked, listener) =>
  openIncidentList(live, asked, listener),
);
