/** The most used queries of the data API and of the catalog, as the original client sends them (contract §4 to §14). */
import type { BenchIds } from './data-api-rows-query.ts';

export interface BenchQuery {
  name: string;
  /** Under `/api/db`, else from `/api` on. */
  path: string;
  /** With Prefer: count=exact. */
  isCounted?: boolean;
  /** Sent by POST. */
  body?: Record<string, unknown>;
}

const PERSON = 'id,name,avatar';

/** The queries about these rows. */
export function queriesFor(ids: BenchIds & { type: string; sinceIso: string }): BenchQuery[] {
  const configColumns =
    'id,type,config_class,status,health,labels,name,tags,created_at,updated_at,deleted_at,cost_per_minute,' +
    'cost_total_1d,cost_total_7d,cost_total_30d,changes,analysis';
  const type = encodeURIComponent(ids.type);
  const incidentColumns =
    `*,hypotheses(*,created_by(${PERSON}),evidences(*,created_by(${PERSON})),` +
    `comments(created_at,comment,external_created_by,responder_id(team_id(*)),created_by(${PERSON}))),` +
    `commander:commander_id(${PERSON}),communicator_id(${PERSON}),responders(created_by(${PERSON}))`;
  return [
    {
      name: 'catalog summary by type, 30 days (§6.6)',
      path: '/api/catalog/summary',
      body: { changes: { since: '30d' }, analysis: { since: '30d' }, cost: '30d', deleted: false },
    },
    {
      name: 'changes of two days, a page of 200 (§6.5)',
      path: '/api/catalog/changes',
      body: { from: 'now-2d', to: 'now', page: 1, page_size: 200, sort_by: '-created_at', recursive: 'none' },
    },
    {
      name: 'changes below an item (§6.5)',
      path: '/api/catalog/changes',
      body: { id: ids.config, from: 'now-2d', to: 'now', recursive: 'downstream', depth: 5, page_size: 200 },
    },
    {
      name: 'catalog list of a type (§6.2)',
      path: `configs?select=${configColumns}&type=eq.${type}&order=type,name.asc&deleted_at=is.null&limit=50&offset=0`,
      isCounted: true,
    },
    {
      name: 'config item with counts (§6.1)',
      path: `config_detail?id=eq.${ids.config}&select=*,config_scrapers(id,name)`,
    },
    {
      name: 'changes of a config item',
      path: `config_changes?config_id=eq.${ids.config}&order=created_at.desc&limit=50&offset=0`,
      isCounted: true,
    },
    {
      name: 'related config items (§6.3)',
      path: `rpc/related_configs_recursive?config_id=${ids.config}&include_deleted_configs=false&max_depth=10&type_filter=all&incoming_relation=both&outgoing_relation=both`,
    },
    {
      name: 'insights, a page (§6.4)',
      path: 'config_analysis_items?select=id,analysis_type,analyzer,severity,status,first_observed,last_observed,config:configs(id,name,config_class,type)&limit=50&offset=0&status=eq.open&order=first_observed.desc',
      isCounted: true,
    },
    {
      name: 'a check with its links (§4)',
      path: `checks?id=eq.${ids.check}&select=*,canaries!checks_canary_id_fkey(id,name,source),agents!checks_agent_id_fkey(id,name),components:check_component_relationships(components(id,name,icon)),configs:check_config_relationships(configs(id,name,type))`,
    },
    {
      name: 'results of a check, a page (§4)',
      path: `check_statuses?check_id=eq.${ids.check}&time=gt.${ids.sinceIso}&order=time.desc&limit=50&offset=0`,
      isCounted: true,
    },
    {
      name: 'job history, a page (§14)',
      path: 'job_histories?select=*&limit=50&offset=0&order=created_at.desc',
      isCounted: true,
    },
    {
      name: 'an incident, four levels (§13)',
      path: `incidents?id=eq.${ids.incident}&select=${incidentColumns}`,
    },
    {
      name: 'notifications sent, a page (§9)',
      path: 'notification_send_history_summary?select=*&order=created_at.desc&limit=50&offset=0',
      isCounted: true,
    },
    {
      name: 'playbook runs, a page (§7)',
      path: 'playbook_runs?limit=50&offset=0&order=created_at.desc&select=*,playbooks(id,name,title,spec,icon),component:components(id,name,icon),check:checks(id,name,icon),config:config_items(id,name,type,config_class)',
      isCounted: true,
    },
  ];
}
