/**
 * The tables that agents push (schema §8.1), parents first, as both sides know them: what tells a row from others, which
 * columns go along, and what it hangs on.
 */
export interface PushTable {
  name: string;
  /** Its key in the body of a push, where that is another one. */
  sentAs: string;
  /** Of these a row is known. */
  key: readonly string[];
  /** Besides the key. */
  columns: readonly string[];
  /** Columns that may not be empty, and what stands there when the sender says nothing. */
  defaults: Readonly<Record<string, string>>;
  /** Times of which nothing may be later than now upstream: what is fresh by them would be so for too long. */
  notAhead: readonly string[];
  /** Its rows say themselves whose they are; those of others are whose their first parent is. */
  hasAgent: boolean;
  /** Column and table of what a row hangs on. */
  parents: readonly (readonly [column: string, table: string])[];
  /** Rows of one batch, at most. */
  batchRows: number;
}

/** schema §8.1 */
const BATCH_ROWS = 500;

const words = (text: string) => text.split(/\s+/);
const CREATED = { created_at: 'now()' };
const TIMES = { ...CREATED, updated_at: 'now()' };
const COSTS = 'cost_per_minute cost_total_1d cost_total_7d cost_total_30d';

function table(
  name: string,
  key: string,
  given: Pick<PushTable, 'defaults' | 'parents'> &
    Partial<Pick<PushTable, 'sentAs' | 'batchRows' | 'notAhead'>> & { columns: string; isOwned?: boolean },
): PushTable {
  const { columns, defaults, parents, isOwned = false, sentAs = name, batchRows = BATCH_ROWS } = given;
  const { notAhead = [] } = given;
  const row = { key: words(key), columns: words(columns), defaults, parents, hasAgent: !isOwned };
  return { name, sentAs, batchRows, notAhead, ...row };
}

const link = (name: string, key: string, given: { columns?: string; parents: PushTable['parents'] }) =>
  table(name, key, {
    columns: `${given.columns ?? ''} created_at updated_at deleted_at`.trim(),
    defaults: TIMES,
    parents: given.parents,
    isOwned: true,
  });

/** Canaries, checks, runs and actions have statements of their own upstream (upstream/push-query.ts). */
export const PUSH_TABLES: readonly PushTable[] = [
  // First, because somebody waits for it: how actions ended that the upstream server handed over.
  table('playbook_run_actions', 'id', {
    sentAs: 'playbook_actions',
    columns: 'name status start_time end_time result error',
    defaults: {},
    parents: [],
    batchRows: 20,
  }),
  table('topologies', 'id', {
    columns: 'name namespace labels source spec schedule created_at updated_at deleted_at',
    defaults: { source: `'Push'` },
    parents: [],
  }),
  table('config_scrapers', 'id', {
    columns: 'name namespace description source spec created_at updated_at deleted_at',
    defaults: { ...CREATED, source: `'Push'` },
    parents: [],
  }),
  table('canaries', 'id', {
    columns: 'name namespace labels annotations spec source created_at updated_at deleted_at',
    defaults: {},
    parents: [],
  }),
  table('config_items', 'id', {
    columns: `scraper_id parent_id icon config_class status health ready external_id type ${COSTS} name description config
      source labels tags properties path last_scraped_time created_at updated_at delete_reason deleted_at`,
    defaults: CREATED,
    notAhead: ['last_scraped_time'],
    parents: [
      ['scraper_id', 'config_scrapers'],
      ['parent_id', 'config_items'],
    ],
  }),
  table('components', 'id', {
    columns: `topology_id parent_id config_id external_id name text topology_type namespace labels hidden silenced status
      status_expr health_expr health description lifecycle tooltip status_reason schedule icon type owner selectors
      log_selectors component_checks configs properties path summary is_leaf ${COSTS} created_at updated_at deleted_at`,
    defaults: { ...CREATED, hidden: 'false', silenced: 'false', status: `''`, external_id: `''` },
    parents: [
      ['topology_id', 'topologies'],
      ['parent_id', 'components'],
      ['config_id', 'config_items'],
    ],
  }),
  table('checks', 'id', {
    columns: `canary_id type name namespace description icon spec labels owner severity transformed last_runtime
      last_transition_time next_runtime status not_run_reason created_at updated_at deleted_at`,
    defaults: {},
    parents: [['canary_id', 'canaries']],
  }),
  // With the files themselves, of a megabyte each.
  table('artifacts', 'id', {
    columns: `check_id check_time playbook_run_action_id path filename content_type size checksum expires_at created_at
      deleted_at`,
    defaults: CREATED,
    parents: [
      ['check_id', 'checks'],
      ['playbook_run_action_id', 'playbook_run_actions'],
    ],
    isOwned: true,
    batchRows: 4,
  }),
  link('config_relationships', 'related_id config_id relation', {
    columns: 'selector_id',
    parents: [
      ['config_id', 'config_items'],
      ['related_id', 'config_items'],
    ],
  }),
  link('component_relationships', 'component_id relationship_id selector_id', {
    columns: 'relationship_path',
    parents: [
      ['component_id', 'components'],
      ['relationship_id', 'components'],
    ],
  }),
  link('config_component_relationships', 'component_id config_id', {
    columns: 'selector_id',
    parents: [
      ['component_id', 'components'],
      ['config_id', 'config_items'],
    ],
  }),
  table('config_analysis', 'id', {
    columns: `config_id scraper_id source analyzer analysis_type severity summary status message analysis first_observed
      last_observed`,
    defaults: { first_observed: 'now()' },
    parents: [['config_id', 'config_items']],
    isOwned: true,
  }),
  table('config_changes', 'id', {
    columns: `config_id external_change_id external_created_by change_type severity source summary patches diff details
      created_at count fingerprint first_observed`,
    defaults: { ...CREATED, count: '1', first_observed: 'now()' },
    parents: [['config_id', 'config_items']],
    isOwned: true,
  }),
  table('job_history', 'id', {
    columns: `name success_count error_count details hostname duration_millis resource_type resource_id status time_start
      time_end created_at`,
    defaults: CREATED,
    parents: [],
  }),
  table('check_statuses', 'check_id time', {
    columns: 'status invalid duration message error details created_at',
    defaults: {},
    parents: [['check_id', 'checks']],
    isOwned: true,
  }),
];

/** Of the columns that tell a row from others these may be empty (schema §1.5). */
const MAYBE_EMPTY = new Set(['relation', 'selector_id']);

/**
 * SQL: the row `own` of the table is the one that `other` names. Equal where neither can be empty: an index answers that,
 * and not whether two may both be empty.
 */
export const isSameRow = ({ key }: PushTable, other: string): string =>
  key
    .map(
      (column) =>
        `own.${column} ${MAYBE_EMPTY.has(column) ? 'is not distinct from' : '='} ${other}.${column}`,
    )
    .join(' and ');

/** Those that decide whose its rows are, where these don't say so themselves: a file is of a check or of an action. */
export const deciding = ({ name, parents }: PushTable): PushTable['parents'] =>
  name === 'artifacts' ? parents : parents.slice(0, 1);

/** That table; throws for a name that is none. */
export function pushTable(name: string): PushTable {
  const found = PUSH_TABLES.find((known) => known.name === name);
  if (found === undefined) throw new Error(`no agent pushes ${name}`);
  return found;
}
