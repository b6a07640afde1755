import { CHECK_QUERIES } from '../../../src/contract/queries/check-queries.ts';
import { rowById } from '../network/data-api.ts';
import { handleCached } from '../subscriptions/query-handler.ts';

/** With its canary, agent and relations (contract §4, embeds). */
const SELECT =
  '*,canaries!checks_canary_id_fkey(id,name,source,created_by),agents!checks_agent_id_fkey(id,name),' +
  'components:check_component_relationships(components(id,name,icon)),' +
  'configs:check_config_relationships(configs(id,name,type))';

export const query = handleCached(CHECK_QUERIES['check-detail'], {
  fetch: ({ api }, { checkId }, signal) =>
    rowById(api, { id: checkId, table: 'checks', select: SELECT, signal }),
});
