/**
 * What the specification says of forms, preset by preset and text by text (its parts 2 §2 to §9), against what is on
 * screen. A row: where it is said, what it is, what we have, what is due.
 */
import { describe, expect, test } from 'vitest';
import { scraperProblems } from '../../server/catalog/scrapers/running/scraper-problems.ts';
import { canaryProblems } from '../../server/health/documents/canary-problems.ts';
import {
  JOB_RESOURCE_TYPES,
  JOB_STATUSES,
  jobResourceLink,
  RUN_DURATIONS,
} from '../../src/domain/job/job.ts';
import { TABLE_VIEWS } from '../../src/contract/http/table-views.ts';
import { CHARTS, CHART_FACTS, CHART_SOURCES, GITOPS_DEFAULTS } from '../../src/domain/integration/charts.ts';
import { INTEGRATIONS } from '../../src/domain/integration/integration-types.ts';
import { REPEAT_INTERVALS, RULE_EVENTS } from '../../src/domain/notification/notification-rule.ts';
import { CONNECTION_TYPES } from '../../src/domain/settings/connection-types.ts';
import { connectionValues } from '../../src/domain/settings/connection-row.ts';
import { RESOURCE_KINDS, RESOURCES } from '../../src/domain/settings/resource-kinds.ts';
import { sourceOf } from '../../src/domain/settings/resource-source.ts';
import { scraperKind } from '../../src/domain/settings/scraper-kind.ts';
import { RANGE_PARAMS, TWO_DAYS } from '../../src/domain/time/time-range.ts';
import { messages as connections } from '../../src/features/settings/connections/messages.ts';
import { messages as flags } from '../../src/features/settings/flags/messages.ts';
import { messages as integrations } from '../../src/features/settings/integrations/messages.ts';
import { messages as jobs } from '../../src/features/settings/jobs/messages.ts';
import { schedulesFor } from '../../src/domain/settings/schedule-presets.ts';
import { jobsSearch } from '../../src/features/settings/jobs/search-schema.ts';
import { conditionsOf, filterOf, NEWEST_OF_ONE } from '../../src/features/settings/jobs/url-state.ts';
import { LAST_FAILED_FIRST } from '../../src/features/settings/event-queue-order.ts';
import { messages as settings } from '../../src/features/settings/messages.ts';
import { messages as resources } from '../../src/features/settings/resources/messages.ts';
import {
  HTTP_METHODS,
  newColumns,
  resourceValues,
} from '../../src/features/settings/resources/resource-form.ts';
import { directTiles, GITOPS_TILES, optionOf } from '../../src/features/settings/integrations/options.ts';
import { PAGE_SIZES, tableState } from '../../src/ui/tables/table-state.ts';
import { messages as ui } from '../../src/ui/messages.ts';
import { CHECKS, problemsIn, SCRAPERS } from './schema-problems.ts';

type Row = readonly [where: string, what: string, found: unknown, due: unknown];

const initialOf = (type: string, at: string) => {
  const found = CONNECTION_TYPES.find((one) => one.type === type);
  if (found === undefined) throw new Error(`no type ${type}`);
  const values = connectionValues(found, null);
  return at.startsWith('properties.') ? values.properties[at.slice(11)] : values[at];
};
const viewOf = (name: keyof typeof TABLE_VIEWS) => TABLE_VIEWS[name].source;
const missing = () => {
  throw new Error('no connection type');
};
const titlesOf = (tiles: readonly { title: string }[]) => tiles.map(({ title }) => title);
const specOf = (add: string) => {
  const option = optionOf(add, true);
  return option?.kind === 'direct' ? option.spec : undefined;
};

const TEXTS: readonly Row[] = [
  ['§2 settings', 'kinds', RESOURCES.config_scrapers.singular, 'Catalog Scraper'],
  ['§2 settings', 'kinds', RESOURCES.canaries.singular, 'Health Check'],
  ['§2 settings', 'nothing there', resources.notFound, 'No resources found'],
  ['§2 settings', 'more tags', resources.moreTags(3), '+3 more'],
  ['§2 settings', 'details', resources.viewDetails, 'View details'],
  ['§2 teams', 'empty', resources.members.none, 'Add team members'],
  ['§2 teams', 'empty', resources.members.noneHint, "You haven't added any team members to the team yet."],
  ['§2 teams', 'dialog', resources.members.add, 'Add users'],
  ['§8', 'team', resources.members.removed('Ada'), 'Ada removed from team successfully'],
  ['§8', 'team', resources.members.added(['Ada', 'Bob']), 'Ada, Bob added to the team successfully'],
  ['§2 integrations', 'groups', integrations.groups, { gitops: 'Add via GitOps', direct: 'Add Directly' }],
  [
    '§2 integrations',
    'GitOps tiles',
    titlesOf(GITOPS_TILES),
    ['AWS', 'Azure', 'Prometheus', 'Flux', 'Kubernetes', 'Mission Control'],
  ],
  [
    '§2 integrations',
    'direct tiles',
    titlesOf(directTiles(true)),
    ['Custom Topology', 'Catalog Scraper', 'Log Backends'],
  ],
  ['§2 integrations', 'without logs', titlesOf(directTiles(false)), ['Custom Topology', 'Catalog Scraper']],
  ['§2 integrations', 'tabs', [resources.tabs.spec, resources.tabs.jobs], ['Spec', 'Job History']],
  ['§2 integrations', 'types', [...INTEGRATIONS.keys()], ['scrapers', 'topologies', 'logging_backends']],
  ['§2 integrations', 'output', Object.values(integrations.gitops.tabs), ['Flux', 'Helm CLI']],
  ['§2 jobs', 'tabs', Object.values(jobs.detailTabs), ['Errors', 'Scrape Summary', 'Reconcile Summary']],
  ['§2 jobs', 'copied', ui.copy.idDone('7'), 'Copied 7 to clipboard'],
  ['§2 jobs', 'canary', jobResourceLink('canary', '1'), '/settings/canaries/1'],
  ['§2 jobs', 'scraper', jobResourceLink('config_scraper', '1'), '/catalog/scrapers/1'],
  ['§2 jobs', 'scraper', jobResourceLink('catalog_scraper', '1'), '/catalog/scrapers/1'],
  ['§2 jobs', 'topology', jobResourceLink('topology', '1'), '/settings/topologies/1'],
  ['§2 jobs', 'item', jobResourceLink('config', '1'), '/catalog/1'],
  ['§2 jobs', 'playbook', jobResourceLink('playbook', '1'), '/playbooks/1'],
  ['§2 queue', 'dialog', settings.queue.mostCommon, 'Most Common Error'],
  ['§4', 'linked', settings.sources.agent('edge'), 'Linked to edge'],
  ['§4', 'linked', settings.sources.file(), 'Linked to local file'],
  ['§4', 'no link', sourceOf('UI'), 'ui'],
  ['§4', 'no link', sourceOf(''), 'ui'],
  ['§4', 'buttons', [resources.form.save, resources.form.update], ['Save', 'Update']],
  ['§4', 'in flight', [resources.form.saving, resources.form.updating], ['Saving …', 'Updating …']],
  ['§4', 'in flight', [connections.form.saving, connections.form.updating], ['Saving …', 'Updating …']],
  ['§4', 'in flight', [flags.form.saving, flags.form.updating], ['Saving …', 'Updating …']],
  ['§5', 'required', resources.form.required, 'This field is required'],
  ['§5', 'required', ui.isRequired, 'This field is required'],
  ['§5', 'required', connections.form.required, 'This field is required'],
  ['§5', 'number', connections.form.number, 'This field must be a number'],
  ['§5', 'flag', flags.form.missing, 'please provide all details'],
  ['§8', 'flag', flags.local, 'Cannot edit local feature flags'],
  ['§8', 'flag', flags.added, 'Feature flag added successfully'],
  ['§8', 'flag', flags.updated, 'Feature flag updated successfully'],
  ['§8', 'flag', flags.removed, 'Feature flag removed successfully'],
  ['§8', 'connection', connections.added, 'Connection added successfully'],
  ['§8', 'connection', connections.updated, 'Connection updated successfully'],
  ['§8', 'connection', connections.removed, 'Connection deleted successfully'],
  ['§8', 'connection', connections.tested, 'Connection successful'],
  ['§8', 'connection', connections.untestable, 'We currently do not support testing this connection type'],
  ['§8', 'connection', connections.testFailed, 'Testing connection failed!'],
];

const CONSTANTS: readonly Row[] = [
  [
    '§5, §9',
    'schedules of resources',
    schedulesFor('config_scrapers', {}),
    ['@every 30s', '@every 1m', '@every 5m', '@every 30m', '@hourly', '@every 6h', '@daily', '@weekly'],
  ],
  [
    '§5',
    'short schedules, of checks',
    schedulesFor('canaries', {}),
    ['@every 30s', '@every 1m', '@every 5m', '@every 30m', '@hourly', '@every 2h', '@every 4h'],
  ],
  [
    '§5',
    'medium schedules, of topologies',
    [schedulesFor('topologies', {})[0], schedulesFor('topologies', {}).at(-1)],
    ['@every 5m', '@every 8h'],
  ],
  [
    '§5',
    'schedule of a cluster, first',
    schedulesFor('config_scrapers', { kubernetes: [] })[0],
    '@every 30m',
  ],
  ['§5', 'methods of http checks', HTTP_METHODS, ['GET', 'POST', 'PUT', 'DELETE']],
  ['§5', 'repeat intervals', REPEAT_INTERVALS, ['1h', '2h', '3h', '6h', '1d', '1w', '1m']],
  [
    '§3',
    'namespace of connections',
    connectionValues(CONNECTION_TYPES[0] ?? missing(), null)['namespace'],
    'default',
  ],
  ['§5', 'e-mail encryption', initialOf('email', 'properties.encryptionMethod'), 'Auto'],
  ['§5', 'e-mail sign-in', initialOf('email', 'properties.authMethod'), 'Unknown'],
  ['§5', 'schedule of a cluster', specOf('scraper-kubernetes')?.split('\n')[0], 'schedule: "@every 30m"'],
  ['§3', 'namespace', resourceValues(null, 'canaries').namespace, 'default'],
  ['§3', 'source', newColumns('topologies', resourceValues(null, 'topologies'), 'u')['source'], 'UI'],
  ['§4', 'first key is the kind', scraperKind({ schedule: 'x', retention: {}, sql: [] }), 'sql'],
  ['§4', 'any other kind', scraperKind({ retention: {}, mine: [] }), 'custom'],
  ['§4', 'job statuses offered', JOB_STATUSES, ['RUNNING', 'SUCCESS', 'WARNING', 'FAILED']],
  ['§5', 'job status by itself', filterOf(jobsSearch.parse({}), 'status'), { SUCCESS: -1 }],
  ['§5', 'job resource types', JOB_RESOURCE_TYPES, ['canary', 'topology', 'config_scraper']],
  [
    'contract §14.2',
    'durations',
    RUN_DURATIONS.map(({ durationMs }) => durationMs),
    [null, 15_000, 30_000, 60_000, 120_000, 180_000, 300_000, 600_000, 900_000],
  ],
  [
    'contract §14.2',
    'jobs of one thing',
    RESOURCE_KINDS.map((kind) => [kind, RESOURCES[kind].jobType]),
    [
      ['teams', 'team'],
      ['incident_rules', 'incident_rule'],
      ['config_scrapers', 'config_scraper'],
      ['topologies', 'topology'],
      ['canaries', 'canary'],
      ['logging_backends', null],
    ],
  ],
  ['contract §14.2', 'rows', viewOf('job_histories'), { table: 'job_histories', select: '*' }],
  ['contract §14.2', 'names', viewOf('job_history_names'), { table: 'job_history_names', select: '*' }],
  ['contract §14.2', 'order', NEWEST_OF_ONE.sortBy, 'created_at'],
  [
    'contract §14.2',
    'what is asked for',
    conditionsOf(
      jobsSearch.parse({
        name: 'Scrape:1',
        resource_type: 'canary:1,topology:-1',
        status: 'FAILED:1',
        runDuration: '60000',
        rangeType: 'relative',
        range: 'now-2d',
      }),
      0,
    ),
    [
      { op: 'in', column: 'name', values: ['Scrape'] },
      { op: 'in', column: 'resource_type', values: ['canary'] },
      { op: 'not-in', column: 'resource_type', values: ['topology'] },
      { op: 'in', column: 'status', values: ['FAILED'] },
      { op: 'gte', column: 'duration_millis', value: '60000' },
      { op: 'after', column: 'created_at', moment: 'now-2d' },
    ],
  ],
  [
    'contract §14.3',
    'rows',
    viewOf('integrations'),
    { table: 'integrations_with_status', select: '*', isSoft: true },
  ],
  [
    'contract §14.3',
    'type in the address to table',
    [...INTEGRATIONS],
    [
      ['scrapers', 'config_scrapers'],
      ['topologies', 'topologies'],
      ['logging_backends', 'logging_backends'],
    ],
  ],
  ['contract §14.4', 'rows', viewOf('event_queue_summary'), { table: 'event_queue_summary', select: '*' }],
  [
    'contract §14.4',
    'columns',
    TABLE_VIEWS.event_queue_summary.row.safeParse({
      name: 'check.failed',
      pending: 1,
      failed: 2,
      average_attempts: 1.5,
      first_failure: '2026-01-01T00:00:00Z',
      last_failure: '2026-01-02T00:00:00Z',
      most_common_error: 'refused',
    }).success,
    true,
  ],
  ['contract §14.4', 'order', LAST_FAILED_FIRST, { sortBy: 'last_failure', isDescending: true }],
  [
    '§2 jobs',
    'address',
    Object.keys(
      jobsSearch.parse({
        pageIndex: '1',
        pageSize: '100',
        name: 'a:1',
        resource_type: 'canary:1',
        status: 'FAILED:1',
        sortBy: 'name',
        sortOrder: 'asc',
        runDuration: '15000',
      }),
    ).toSorted(),
    ['name', 'pageIndex', 'pageSize', 'resource_type', 'runDuration', 'sortBy', 'sortOrder', 'status'],
  ],
  [
    '§2 jobs',
    'address of the time',
    RANGE_PARAMS,
    ['from', 'to', 'duration', 'timeRange', 'rangeType', 'display', 'range'],
  ],
  ['§9', 'time range', TWO_DAYS, { kind: 'relative', range: 'now-2d' }],
  ['§9', 'page size', PAGE_SIZES[0], 50],
  ['§9', 'page size of one thing', tableState({}, NEWEST_OF_ONE).pageSize, 150],
  ['§9', 'GitOps', GITOPS_DEFAULTS, { namespace: 'mission-control', interval: '30m' }],
  [
    'contract §14.3',
    'charts',
    CHARTS.toSorted(),
    ['aws', 'azure', 'flux', 'kubernetes', 'mission-control', 'prometheus'],
  ],
  [
    'contract §14.3',
    'where',
    CHART_SOURCES,
    'https://raw.githubusercontent.com/flanksource/mission-control-registry/main/charts',
  ],
  ['contract §14.3', 'titles', CHART_FACTS['mission-control'].title, 'Mission Control'],
  ['§5', 'e-mail port', initialOf('email', 'properties.port'), '587'],
  ['§5', 'SFTP port', initialOf('sftp', 'properties.port'), '22'],
  ['§5', 'SMB port', initialOf('smb', 'properties.port'), '445'],
  ['§5', 'OpsGenie port', initialOf('opsgenie', 'properties.port'), '443'],
  ['§5', 'Ntfy host', initialOf('ntfy', 'properties.host'), 'ntfy.sh'],
  ['§5', 'Git ref', initialOf('git', 'properties.ref'), 'main'],
  ['§5', 'webhook', initialOf('generic_webhook', 'properties.requestMethod'), 'POST'],
  ['§5', 'webhook', initialOf('generic_webhook', 'properties.key'), 'message'],
  ['§5', 'webhook', initialOf('generic_webhook', 'properties.titleKey'), 'title'],
];

describe('texts of the specification', () => {
  test.each(TEXTS)('%s %s', (_where, _what, found, due) => expect(found).toEqual(due));
});

describe('presets and defaults of the specification', () => {
  test.each(CONSTANTS)('%s %s', (_where, _what, found, due) => expect(found).toEqual(due));

  test('§5 events of notification rules', () => {
    const due = `check.failed check.passed playbook.approval.inserted playbook.spec.approval.updated component.healthy
      component.unhealthy component.unknown component.warning
      config.created config.deleted config.healthy config.unhealthy config.unknown config.updated config.warning`;
    expect([...RULE_EVENTS]).toEqual(expect.arrayContaining(due.split(/\s+/)));
  });
});

/** Spec 2 §5 'Required': what is marked while it is typed. */
const REQUIRED: readonly [file: string, kind: string, fields: string[]][] = [
  [SCRAPERS, 'kubernetes', ['clusterName']],
  [SCRAPERS, 'githubActions', ['owner', 'repository']],
  [SCRAPERS, 'sql', ['query', 'connection', 'type', 'id']],
  [SCRAPERS, 'http', ['type', 'id']],
  [SCRAPERS, 'kubernetesFile', ['type', 'id']],
  [CHECKS, 'elasticsearch', ['index', 'query']],
  [CHECKS, 'exec', ['script']],
  [CHECKS, 'tcp', ['endpoint']],
  [CHECKS, 'icmp', ['endpoint']],
  [CHECKS, 'folder', ['path']],
];

describe('§5 required', () => {
  test.each(REQUIRED)('%s %s', (file, kind, fields) => {
    const found = problemsIn(file, { [kind]: [{}] }).map(([path]) => path);
    expect(found).toEqual(expect.arrayContaining(fields.map((field) => `${kind}.0.${field}`)));
  });

  // A connection may say it instead, which only the server can judge.
  test.each(['http', 'redis', 'mongo'])('the address of %s checks, or a connection', (kind) => {
    const refused = (entry: object) =>
      canaryProblems({ name: 'a', spec: { [kind]: [entry] } }).map(({ field }) => field);
    expect(refused({ name: 'a' })).toContain(`spec.${kind}[0].url`);
    expect(refused({ name: 'a', connection: 'connection://default/a' })).toEqual([]);
  });

  test('the address, type and id of http scrapers; full documents have their own', () => {
    const refused = (spec: object) => scraperProblems({ spec }).map(({ field }) => field);
    expect(refused({ http: [{}] })).toEqual(['spec.http[0].url', 'spec.http[0].type', 'spec.http[0].id']);
    const full = { full: true, http: [{ url: 'https://a.example' }] };
    expect(refused(full)).toEqual([]);
    expect(problemsIn(SCRAPERS, full)).toEqual([]);
    expect(refused({ sql: [{ connection: 'a', query: 'select 1', type: ' ', id: '$.id' }] })).toEqual([
      'spec.sql[0].type',
    ]);
  });

  test('the query of Elasticsearch checks, here as in the form', () => {
    const entry = { name: 'a', url: 'https://a.example', index: 'logs' };
    expect(canaryProblems({ spec: { elasticsearch: [entry] } }).map(({ field }) => field)).toEqual([
      'spec.elasticsearch[0].query',
    ]);
    expect(canaryProblems({ spec: { elasticsearch: [{ ...entry, query: '{}' }] } })).toEqual([]);
  });
});

/** Spec 2 §5 'Minimum 0'. */
const LEAST_ZERO: readonly [kind: string, field: string][] = [
  ['http', 'thresholdMillis'],
  ['http', 'maxSSLExpiry'],
  ['elasticsearch', 'results'],
  ['icmp', 'packetCount'],
  ['icmp', 'packetLossThreshold'],
  ['folder', 'minCount'],
  ['folder', 'maxCount'],
];

test.each(LEAST_ZERO)('§5 minimum 0: %s.%s', (kind, field) => {
  const path = `${kind}.0.${field}`;
  expect(problemsIn(CHECKS, { [kind]: [{ [field]: -1 }] }).map(([at]) => at)).toContain(path);
  expect(problemsIn(CHECKS, { [kind]: [{ [field]: 0 }] }).map(([at]) => at)).not.toContain(path);
});
