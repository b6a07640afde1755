/** For tests only: the original client's calls about health, catalog, logs, search (contract §4, §6, §11, §12). */
import { expect } from 'vitest';
import type { Call } from './call.ts';
import {
  A,
  CANARY,
  CHECK,
  COMPONENT,
  CONFIG,
  DB_COMPONENT,
  FINDING,
  NODE_CONFIG,
  RDS_CONFIG,
} from './ids.ts';

const HEALTH: Call[] = [
  {
    section: '4',
    name: 'the summary, by plain fetch',
    path: '/api/canary/api/summary',
    check: (json: { runnerName: string; checks_summary: unknown[]; duration: number }) => {
      expect(json.checks_summary.length).toBeGreaterThan(0);
      expect(Number.isInteger(json.duration)).toBe(true);
    },
  },
  { section: '1.2', name: 'the summary through the double slash', path: '/api//canary/api/summary' },
  { section: '1.2', name: 'the summary where the proxy takes /api away', path: '//canary/api/summary' },
  {
    section: '1.2',
    name: 'the web server answers for its own health',
    path: '/api/_health',
    check: (json: object) => expect(json).toEqual({ health: 'ok' }),
  },
  {
    section: '1.2',
    name: 'the data API without the prefix',
    path: '/db/config_types',
    columns: 'type',
    atLeast: 1,
  },
  { section: '4', name: 'the graph', path: `/api/canary/api/graph?check=${CHECK}&count=300&start=1h` },
  {
    section: '4',
    name: 'the graph of a bad start',
    path: `/api/canary/api/graph?check=${CHECK}&start=x`,
    status: 400,
  },
  {
    section: '4',
    name: 'Run Now of no check',
    method: 'POST',
    path: '/api/canary/run/check/nothing',
    status: 404,
  },
  {
    section: '4',
    name: 'the legacy evidence view',
    path: `/api/canary/api?check=${CHECK}&includeMessages=true&start=1h`,
  },
  {
    section: '4',
    name: 'the status history',
    path: `/api/db/check_statuses?check_id=eq.${CHECK}&time=gt.2020-01-01T00:00:00.000Z&order=time.desc&status=eq.0&duration=gte.0&limit=50&offset=0`,
    isCounted: true,
    columns: 'check_id time status duration message error details created_at severity invalid',
  },
  {
    section: '4',
    name: 'a check with its embeds',
    path: `/api/db/checks?id=eq.${CHECK}&select=*,canaries!checks_canary_id_fkey(id,name,source),agents!checks_agent_id_fkey(id, name),components:check_component_relationships(components(id,name,icon)),configs:check_config_relationships(configs(id,name,type))`,
    columns: 'id name canaries agents components configs',
    atLeast: 1,
  },
  {
    section: '4',
    name: 'a check link',
    path: `/api/db/checks?id=eq.${CHECK}&select=id,name,icon,status,type`,
    columns: 'id name icon status type',
    atLeast: 1,
  },
  {
    section: '4',
    name: 'the spec tab',
    path: `/api/db/canaries?id=eq.${CANARY}&select=id,source,spec,name,namespace`,
    columns: 'id source spec name namespace',
    atLeast: 1,
  },
  {
    section: '4',
    name: 'checks of a component',
    path: `/api/db/checks_by_component?component_id=eq.${DB_COMPONENT}`,
    columns: 'component_id id type name severity status',
    atLeast: 1,
  },
  {
    section: '4',
    name: 'checks of a config',
    path: `/api/db/check_summary_for_config?config_id=eq.${CONFIG}`,
    columns: 'config_id id',
  },
  {
    section: '4',
    name: 'names of checks',
    path: '/api/db/check_names',
    columns: 'id canary_id type name status',
    atLeast: 1,
  },
  { section: '4', name: 'canary_names is not there [!]', path: '/api/db/canary_names', status: 404 },
];

const CONFIG_EMBED = '(id, type, name, config_class, deleted_at)';
const CATALOG: Call[] = [
  {
    section: '6.1',
    name: 'one config with its summary',
    path: `/api/db/config_detail?id=eq.${CONFIG}&select=*,config_scrapers(id,name)`,
    columns: 'id name config_class summary components config_scrapers',
    atLeast: 1,
  },
  {
    section: '6.1',
    name: 'a breadcrumb',
    path: `/api/db/config_names?id=eq.${CONFIG}`,
    columns: 'id type external_id name',
    atLeast: 1,
  },
  ...['config_tags', 'config_labels'].map((view): Call => ({
    section: '6.1',
    name: view,
    path: `/api/db/${view}`,
    columns: 'key value',
  })),
  ...[
    ['config_types', 'type'],
    ['config_statuses', 'status'],
    ['change_types', 'change_type'],
    ['analysis_types', 'analysis_type'],
    ['config_analysis_analyzers?order=analyzer.asc', 'analyzer'],
  ].map(([view, column = '']): Call => ({
    section: '6.1',
    name: `${view}`,
    path: `/api/db/${view}`,
    columns: column,
    atLeast: 1,
  })),
  {
    section: '6.1',
    name: 'the dropdown of a parameter',
    path: '/api/db/config_items?select=id,name,type,config_class&type=in.(EKSCluster,Kubernetes::Node)',
    columns: 'id name type config_class',
  },
  {
    section: '6.1',
    name: 'the costs panel',
    path: `/api/db/configs?id=eq.${CONFIG}&select=cost_per_minute,cost_total_1d,cost_total_7d,cost_total_30d`,
    columns: 'cost_per_minute cost_total_1d cost_total_7d cost_total_30d',
    atLeast: 1,
  },
  {
    section: '6.1',
    name: 'configs of a component, ordered by an embedded column',
    path: `/api/db/config_component_relationships?component_id=eq.${DB_COMPONENT}&configs.order=name&select=*,configs!config_component_relationships_config_id_fkey${CONFIG_EMBED}&deleted_at=is.null`,
    columns: 'component_id config_id configs',
    atLeast: 1,
  },
  {
    section: '6.1',
    name: 'relations of a config',
    path: `/api/db/config_relationships?or=(related_id.eq.${CONFIG},config_id.eq.${CONFIG})&configs.order=name&select=*,configs:configs!config_relationships_config_id_fkey${CONFIG_EMBED},related:configs!config_relationships_related_id_fkey${CONFIG_EMBED}&deleted_at=is.null`,
    columns: 'config_id related_id configs related',
  },
  {
    section: '6.1',
    name: 'components of a config',
    path: `/api/db/config_component_relationships?config_id=eq.${RDS_CONFIG}&select=components!config_component_relationships_component_id_fkey(id, icon, name)`,
    columns: 'components',
    atLeast: 1,
  },
  {
    section: '6.1',
    name: 'changes of a config in a panel',
    path: `/api/db/config_changes?config_id=eq.${CONFIG}&order=created_at.desc&limit=50&offset=0&and=(created_at.gte.2020-01-01,created_at.lte.2100-01-01)`,
    isCounted: true,
    columns: 'id config_id change_type created_at',
  },
  {
    section: '6.1',
    name: 'changes by component, whose alias hides a column [!]',
    path: `/api/db/changes_by_component?component_id=eq.${DB_COMPONENT}&select=id,type,config_id,name,change_type,config_class,created_at:configs(id, name, type, config_class)`,
    columns: 'id created_at',
  },
  {
    section: '6.2',
    name: 'the list of one type; of two selects the first counts [!]',
    path: '/api/db/configs?&select=id%2Ctype%2Cconfig_class%2Cstatus%2Chealth%2Clabels%2Cname%2Ctags%2Ccreated_at%2Cupdated_at%2Cdeleted_at%2Ccost_per_minute%2Ccost_total_1d%2Ccost_total_7d%2Ccost_total_30d%2Cchanges%2Canalysis&select=agent%3Aagents%28id%2Cname%29&type=eq.EKS%3A%3ACluster&order=type%2Cname.asc&deleted_at=is.null&limit=50&offset=0',
    isCounted: true,
    columns: 'id type changes analysis',
    check: (json: object[]) => {
      for (const row of json) expect(row).not.toHaveProperty('agent');
    },
  },
  {
    section: '6.2',
    name: 'the search over four columns',
    path: '/api/db/configs?select=id,name&or=(name.ilike.*node*,type.ilike.*node*,description.ilike.*node*,namespace.ilike.*node*)&order=name.desc&limit=50&offset=0',
    isCounted: true,
    columns: 'id name',
    atLeast: 1,
  },
  {
    section: '6.2',
    name: 'labels in a nested tree',
    path: '/api/db/configs?select=id,name,labels&or=(and(labels-%3E%3Eapp.eq.web,labels-%3E%3Eenv.neq.prod))&limit=50&offset=0',
    isCounted: true,
  },
  {
    section: '6.2',
    name: 'a filter packed into a value is meant as one [!]',
    path: '/api/db/configs?select=id,type&type=%26type.filter%3DKubernetes%3A%3ANode%2C%21b&limit=50&offset=0',
    isCounted: true,
    columns: 'id type',
    atLeast: 1,
    check: (json: { type: string }[]) => {
      expect(new Set(json.map(({ type }) => type))).toEqual(new Set(['Kubernetes::Node']));
    },
  },
  {
    section: '6.3',
    name: 'relatives of a config',
    path: `/api/db/rpc/related_configs_recursive?config_id=${NODE_CONFIG}&include_deleted_configs=false&max_depth=10&type_filter=all&incoming_relation=both&outgoing_relation=both&type.filter=!Nothing`,
    columns:
      'id name type related_ids tags changes analysis created_at updated_at agent_id health status path',
    atLeast: 1,
  },
  {
    section: '6.4',
    name: 'the insights page',
    path: '/api/db/config_analysis_items?select=id,analysis_type,analyzer,severity,status,first_observed,last_observed,config:configs(id,name,config_class,type)&limit=50&offset=0&severity=eq.critical&order=first_observed.desc',
    isCounted: true,
    columns: 'id analysis_type analyzer severity status config',
    atLeast: 1,
  },
  {
    section: '6.4',
    name: 'insights by component',
    path: `/api/db/rpc/lookup_analysis_by_component?id=${DB_COMPONENT}`,
    columns: 'id config_id',
    atLeast: 1,
  },
  {
    section: '6.4',
    name: 'the insight modal',
    path: `/api/db/config_analysis?select=id,source,analyzer,analysis_type,message,severity,status,analysis,first_observed,config:configs(id,name,config_class,type)&id=eq.${FINDING}`,
    columns: 'id message config',
    atLeast: 1,
  },
  {
    section: '6.4',
    name: 'the topology panel of insights, two levels deep',
    path: `/api/db/analysis_by_component?component_id=eq.${DB_COMPONENT}&limit=50&offset=0&select=analysis_id,config:configs(id,name,config_class,type,analysis:config_analysis(id,analyzer,analysis_type,message,severity,analysis,first_observed))`,
    isCounted: true,
    columns: 'analysis_id config',
    atLeast: 1,
  },
  {
    section: '6.5',
    name: 'the changes page',
    method: 'POST',
    path: '/api/catalog/changes',
    body: {
      include_deleted_configs: true,
      from: 'now-2d',
      to: 'now',
      sort_by: '-created_at',
      page: 1,
      page_size: 200,
      recursive: 'none',
      severity: 'Info',
    },
    check: (json: { total?: number; changes?: { id: string }[] }) => {
      expect(json.changes?.length ?? 0).toBe(json.total ?? 0);
    },
  },
  {
    section: '6.5',
    name: 'the changes of one config',
    method: 'POST',
    path: '/api/catalog/changes',
    body: {
      id: CONFIG,
      recursive: 'downstream',
      depth: 5,
      include_deleted_configs: false,
      from: 'now-5y',
      to: 'now',
    },
  },
  {
    section: '6.5',
    name: 'sorting by tags [!]',
    method: 'POST',
    path: '/api/catalog/changes',
    body: { sort_by: '-tags' },
    status: 400,
  },
  {
    section: '6.6',
    name: 'the catalog summary',
    method: 'POST',
    path: '/api/catalog/summary',
    body: {
      changes: { since: '30d' },
      analysis: { since: '30d' },
      cost: '30d',
      deleted: false,
      groupBy: ['type'],
    },
    columns: 'type count health changes analysis cost_30d created_at updated_at',
    atLeast: 1,
  },
];

const SEARCH: Call[] = [
  {
    section: '11',
    name: 'logs without an id',
    method: 'POST',
    path: '/api/logs',
    body: { name: 'x' },
    status: 400,
  },
  {
    section: '11',
    name: 'logs of a selector that is not there',
    method: 'POST',
    path: '/api/logs',
    body: { id: COMPONENT, name: 'x', query: '' },
    status: 400,
  },
  {
    section: '11',
    name: 'the dropdown of components with logs',
    path: '/api/db/components_with_logs?order=name.asc',
    columns: 'id name agent_id icon type',
    atLeast: 1,
  },
  {
    section: '11',
    name: 'names of the selectors of a component',
    path: `/api/canary/api/topology?id=${DB_COMPONENT}`,
    check: ({ components }: { components: { logs: { name: string }[] }[] }) =>
      expect(components[0]?.logs.map(({ name }) => name)).toEqual(['postgres', 'audit']),
  },
  {
    section: '11',
    name: 'lines of a selector',
    method: 'POST',
    path: '/api/logs',
    body: { name: 'postgres', id: DB_COMPONENT, query: '' },
    check: ({ total, results }: { total: number; results: unknown[] }) => {
      expect(total).toBe(1);
      expect(results).toEqual([
        {
          timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
          message: expect.stringContaining('checkpoint complete') as string,
          labels: { file: 'db/a.log' },
        },
      ]);
    },
  },
  {
    section: '11',
    name: 'lines that have what was searched for',
    method: 'POST',
    path: '/api/logs',
    body: { name: 'postgres', id: DB_COMPONENT, query: 'vacuum' },
    check: ({ results }: { results: unknown[] }) => expect(results).toEqual([]),
  },
  {
    section: '11',
    name: 'the log backends page',
    path: `/api/db/logging_backends?order=created_at.desc&select=id,spec,name,source,created_at,updated_at,created_by(${A})&deleted_at=is.null`,
    columns: 'id spec name source created_at updated_at created_by',
    atLeast: 1,
  },
  {
    section: '12',
    name: 'the search of a dropdown',
    method: 'POST',
    path: '/api/resources/search',
    body: {
      configs: [{ types: ['EKS::Cluster'], search: '' }],
      components: [{ name: 'logistics' }],
      checks: [{}],
    },
    check: (json: { components?: object[]; checks?: object[] }) => {
      expect(json.components?.length).toBe(1);
      expect(json.checks).toBeUndefined();
    },
  },
];

export const WATCH_CALLS: readonly Call[] = [...HEALTH, ...CATALOG, ...SEARCH];
