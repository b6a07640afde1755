/**
 * What the specification says of forms (its part 2 §3 to §5): what each has, what it starts with and what it offers,
 * against the forms here. Rows as in `spec-texts.test.ts`: where it is said, what it is, what we have, what is due.
 */
import { describe, expect, test } from 'vitest';
import { schemaFile } from '../../server/app/schemas/schema-files.ts';
import type { ConnectionType } from '../../src/domain/settings/connection-fields.ts';
import { CONNECTION_TYPES } from '../../src/domain/settings/connection-types.ts';
import { missingFields } from '../../src/domain/settings/connection-row.ts';
import { RESOURCES, type ResourceKind } from '../../src/domain/settings/resource-kinds.ts';
import { isEditable, isRemoteAgent, sourceOf } from '../../src/domain/settings/resource-source.ts';
import { SCRAPER_EXAMPLES } from '../../src/domain/settings/scraper-examples.ts';
import { NO_LANGUAGE, SCRIPT_LANGUAGES, scriptIn, scriptText } from '../../src/domain/script-language.ts';
import { silenceProblems } from '../../src/domain/notification/silence-problems.ts';
import { messages as rules } from '../../src/features/notifications/rules/messages.ts';
import { ruleSchema, ruleValues } from '../../src/features/notifications/rules/rule-form.ts';
import { messages as silences } from '../../src/features/notifications/silences/messages.ts';
import { ABOUT } from '../../src/features/notifications/silences/silence-form.ts';
import { filterLink, filterOf } from '../../src/features/settings/jobs/url-state.ts';
import {
  changedColumns,
  newColumns,
  RESPONSE_CODES,
  resourceSchema,
  resourceValues,
} from '../../src/features/settings/resources/resource-form.ts';
import { entryKinds, fittingFields, readDocumentSchema } from '../../src/ui/document/schema-fields.ts';
import { OFFERED as SECRET_KINDS, writtenSecret } from '../../src/ui/document/secret-value.ts';
import { messages as fields } from '../../src/ui/fields/messages.ts';
import { CHECKS, problemsIn, SCRAPERS } from './schema-problems.ts';

type Row = readonly [where: string, what: string, found: unknown, due: unknown];

/** What a resource's form has besides name and spec. */
const partsOf = (kind: ResourceKind): string[] => {
  const { hasIcon, hasNamespace, hasLabels } = RESOURCES[kind];
  const parts = Object.entries({ icon: hasIcon, namespace: hasNamespace, labels: hasLabels });
  return parts.flatMap(([part, isThere]) => (isThere ? [part] : []));
};
const NEW_CHECK = { ...resourceValues(null, 'canaries'), name: 'a', spec: 'http: []' };
const pathsOf = (parsed: { error?: { issues: readonly { path: readonly PropertyKey[] }[] } | undefined }) =>
  (parsed.error?.issues ?? []).map(({ path }) => path.join('.'));
const fieldsRefused = (values: object) => pathsOf(resourceSchema.safeParse({ ...NEW_CHECK, ...values }));
const ruleRefused = (values: object) =>
  pathsOf(ruleSchema(null).safeParse({ ...ruleValues(null), ...values }));
const checkSchema = readDocumentSchema(JSON.parse(schemaFile(CHECKS) ?? 'null'));
const CHECK_ENTRIES = checkSchema === null ? [] : entryKinds(checkSchema);
const scraperSchema = readDocumentSchema(JSON.parse(schemaFile(SCRAPERS) ?? 'null'));
const SCRAPER_ENTRIES = scraperSchema === null ? [] : entryKinds(scraperSchema);
const CHECK_KINDS = CHECK_ENTRIES.map(({ key }) => key);
const HTTP_FIELDS = CHECK_ENTRIES.find(({ key }) => key === 'http')?.fields ?? [];
const hasBody = (method: string) => fittingFields(HTTP_FIELDS, { method }).some(({ key }) => key === 'body');
const missing = () => {
  throw new Error('no connection type');
};
const typeOf = (type: string) => CONNECTION_TYPES.find((one) => one.type === type) ?? missing();
const mustOf = (type: string) => missingFields(typeOf(type), { properties: {} } as never);
const missingNames = (type: ConnectionType) =>
  missingFields(type, { properties: {} } as never).filter((at) => at === 'name' || at === 'namespace');
const initialOf = (type: string, at: string) => typeOf(type).fields.find((field) => field.at === at)?.initial;
const optionsOf = (type: string, at: string) => typeOf(type).fields.find((field) => field.at === at)?.options;
const CHECK_FORMS = 'http exec alertmanager elasticsearch redis mongodb icmp folder tcp'.split(' ');
const SCRAPER_KINDS =
  `aws azure azureDevops custom file githubActions http kubernetes kubernetesFile sql trivy`.split(' ');
const EMAIL = 'host port from fromName encryptionMethod authMethod'
  .split(' ')
  .map((name) => `properties.${name}`);
const WEBHOOK = 'url requestMethod key titleKey'.split(' ').map((name) => `properties.${name}`);

/** Spec 2 §3–§5: what each form has, what it starts with and what it offers. */
const FORMS: readonly Row[] = [
  ...['abc', true].map((thresholdMillis): Row => [
    '§5',
    `${thresholdMillis} is no number`,
    problemsIn(CHECKS, { http: [{ thresholdMillis }] }),
    expect.arrayContaining([['http.0.thresholdMillis', 'This field must be a number']]),
  ]),
  ['§3', 'teams: name, spec, icon', partsOf('teams'), ['icon']],
  ['§3', 'rules: name, spec', partsOf('incident_rules'), []],
  ['§3', 'scrapers: name, source, spec', partsOf('config_scrapers'), []],
  ['§3', 'topologies: namespace, labels', partsOf('topologies'), ['namespace', 'labels']],
  ['§3', 'health checks: namespace, labels', partsOf('canaries'), ['namespace', 'labels']],
  ['§3', 'namespace of topologies', resourceValues(null, 'topologies').namespace, 'default'],
  ['§3', 'agent of a new one: this server', resourceValues(null, 'canaries').agent, ''],
  [
    '§3',
    'source of a new rule',
    newColumns('incident_rules', resourceValues(null, 'teams'), 'u')['source'],
    'UI',
  ],
  ['§3', 'a value, a secret or a config map', SECRET_KINDS, ['value', 'secretKeyRef', 'configMapKeyRef']],
  [
    '§3',
    'a reference is a name and a key',
    writtenSecret({ kind: 'secretKeyRef', value: '', name: 'a', key: 'b' }),
    { valueFrom: { secretKeyRef: { name: 'a', key: 'b' } } },
  ],
  [
    '§3',
    'scraper kinds that are offered',
    [...Object.keys(SCRAPER_EXAMPLES), 'custom'].filter((kind) => SCRAPER_KINDS.includes(kind)).toSorted(),
    SCRAPER_KINDS,
  ],
  ['§3', 'health check kinds with forms', CHECK_FORMS.filter((kind) => !CHECK_KINDS.includes(kind)), []],
  [
    '§3',
    'the name of what is kept',
    problemsIn(SCRAPERS, { retention: { changes: [{}] } }).map(([at]) => at),
    ['retention.changes.0.name'],
  ],
  ['§4', 'a source of components', sourceOf('component/1'), 'component'],
  ['§4', 'a source of Kubernetes', sourceOf('kubernetes/1'), 'kubernetes'],
  ['§4', 'the all-zero agent is no agent', isRemoteAgent('00000000-0000-0000-0000-000000000000'), false],
  ['§4', 'recipients', Object.values(rules.form.recipients), ['Person', 'Team', 'Others']],
  ['§4', 'edited here: UI', isEditable({ source: 'UI' }), true],
  ['§4', 'edited here: no source', isEditable({ source: null }), true],
  ['§4', 'edited here: a file', isEditable({ source: 'ConfigFile' }), false],
  ['§4', 'edited here: Kubernetes', isEditable({ source: 'KubernetesCRD' }), false],
  ['§4', 'buttons of rules', [rules.form.save, rules.form.update], ['Save', 'Update']],
  ['§4', 'buttons of silences', [silences.form.save, silences.form.update], ['Save', 'Update']],
  ['§4', 'repeated', rules.statuses['repeat-interval'], 'Repeated'],
  ['§5', 'a name is required', fieldsRefused({ name: ' ' }), ['name']],
  [
    '§5',
    'name and namespace stay',
    Object.keys(changedColumns('canaries', NEW_CHECK)).toSorted(),
    ['labels', 'spec'],
  ],
  ['§5', 'the spec is an object', fieldsRefused({ spec: '- a' }), ['spec']],
  ['§5', 'the spec is YAML', fieldsRefused({ spec: 'a: [' }), ['spec']],
  ['§5', 'an empty spec clears it', changedColumns('canaries', { ...NEW_CHECK, spec: '' })['spec'], {}],
  [
    '§5',
    'specs with a schema',
    (['config_scrapers', 'topologies', 'canaries'] as const).filter(
      (kind) => RESOURCES[kind].schema === null,
    ),
    [],
  ],
  ...['POST', 'PUT'].map((method): Row => ['§5', `body for ${method}`, hasBody(method), true]),
  ...['', 'GET', 'DELETE'].map((method): Row => [
    '§5',
    `no body for ${method || 'none'}`,
    hasBody(method),
    false,
  ]),
  ['§5', 'response codes', RESPONSE_CODES, '200 201 202 204 301 302 401 404 500 502 503'.split(' ')],
  [
    '§5',
    'response codes are a list',
    HTTP_FIELDS.find(({ key }) => key === 'responseCodes')?.control,
    { kind: 'texts', areNumbers: true },
  ],
  ['§5', 'languages of scripts', HTTP_FIELDS.find(({ key }) => key === 'test')?.control.kind, 'script'],
  [
    '§5',
    'languages of scripts',
    [NO_LANGUAGE, ...SCRIPT_LANGUAGES.map(({ label }) => label)],
    ['None', 'Go Template', 'Javascript', 'Expr', 'JSONPath'],
  ],
  ...SCRIPT_LANGUAGES.flatMap(({ label, keys }) =>
    keys.map((key): Row => [
      '§5',
      `${key} is ${label}, read and written`,
      [
        scriptText({ [key]: 'a' })?.language,
        scriptIn({ [key]: 'a' }, label, 'b'),
        problemsIn(CHECKS, { http: [{ name: 'a', url: 'http://a', test: { [key]: 'a' } }] }),
      ],
      [label, { [key]: 'b' }, []],
    ]),
  ),
  [
    '§5',
    'languages of what scrapers transform with',
    new Set(SCRAPER_ENTRIES.map(({ fields }) => fields.find(({ key }) => key === 'transform')?.control.kind)),
    new Set(['script']),
  ],
  ['§5', 'no language is no script', scriptIn({ expr: 'a' }, null, 'a'), undefined],
  ...CONNECTION_TYPES.map((type): Row => [
    '§5',
    `${type.type}: name, namespace`,
    missingNames(type),
    ['name', 'namespace'],
  ]),
  ['§5', 'e-mail', mustOf('email'), expect.arrayContaining(EMAIL)],
  ['§5', 'webhook: methods', optionsOf('generic_webhook', 'properties.requestMethod'), ['POST', 'GET']],
  ['§5', 'webhook: what it needs', mustOf('generic_webhook'), expect.arrayContaining(WEBHOOK)],
  ['§5', 'OpsGenie: a host', initialOf('opsgenie', 'properties.host'), 'api.opsgenie.com'],
  ['§5', 'Teams: a host', initialOf('teams', 'properties.host'), 'outlook.office.com'],
  ...['postgres', 'http', 'mongo', 'elasticsearch', 'prometheus', 'git', 'smb', 'redis'].map((type): Row => [
    '§5',
    `${type}: an address`,
    mustOf(type),
    expect.arrayContaining(['url']),
  ]),
  [
    '§5',
    'silenced: Catalog, Component or Check',
    ABOUT.filter((kind) => ['config', 'component', 'check'].includes(kind)),
    ['config', 'component', 'check'],
  ],
  ['§5', 'a silence needs what it is about', silenceProblems({}, true).length > 0, true],
  ['§3', 'the description of a silence', silences.form.reason, 'Reason'],
  ['§5', 'a rule needs events', ruleRefused({ events: [], person_id: 'p' }), ['events']],
  ['§5', 'a rule needs no template', ruleRefused({ events: ['check.failed'], person_id: 'p' }), []],
  ['§5', 'a rule needs no interval', ruleValues(null).repeat_interval, ''],
  [
    '§5',
    'commas and colons in filters are escaped',
    filterOf(filterLink('name', { 'a:b,c': 1 }), 'name'),
    { 'a:b,c': 1 },
  ],
  ['§8', 'time range', fields.timeRange.none, 'Please select time range'],
];

describe('forms of the specification', () => {
  test.each(FORMS)('%s %s', (_where, _what, found, due) => expect(found).toEqual(due));
});
