import { CATALOG_QUERIES } from '../../../../src/contract/queries/catalog-queries.ts';
import { handleCached } from '../../subscriptions/query-handler.ts';

/** The summary's windows (spec 2 §9). */
const WINDOW = '30d';

export const query = handleCached(CATALOG_QUERIES['catalog-summary'], {
  fetch({ http }, { deleted, groupBy, status, health }, signal) {
    const body = {
      changes: { since: WINDOW },
      analysis: { since: WINDOW },
      cost: WINDOW,
      deleted,
      groupBy,
      ...(status === '' ? {} : { status }),
      ...(health === '' ? {} : { health }),
    };
    return http.json({ path: '/api/catalog/summary', method: 'POST', body, signal });
  },
});
