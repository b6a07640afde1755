/** For tests only: every place of a request in which a client's text can stand, as a way to put one there. */

export interface Placed {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
}

export type Place = readonly [name: string, put: (text: string) => Placed];

const ID = '20000000-0000-4000-8000-000000000001';
/** As encodeURIComponent, and half of a sign as the bytes that are not UTF-8. */
const e = (text: string) =>
  text
    .split(/\p{Cs}/u)
    .map(encodeURIComponent)
    .join('%ed%a0%80');
const get = (path: string, headers?: Record<string, string>): Placed =>
  headers === undefined ? { method: 'GET', path } : { method: 'GET', path, headers };
const post = (path: string, body: unknown, headers: Record<string, string> = {}): Placed => ({
  method: 'POST',
  path,
  body,
  headers,
});
/** A first visit to the list of incidents, with that text as a column, a value and a search. */
function incidentsWith(t: string): Placed {
  const where = [{ field: t, op: 'eq', value: t }];
  const sort = [{ field: t, isDescending: true }];
  const args = { where, search: t, sort, groupBy: t, window: { start: 0, end: 100 } };
  return get(`/api/first-visit?name=live-incidents&args=${e(JSON.stringify(args))}`);
}
/** Header values hold no more than this. */
const inHeader = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, '');

const DATA_READS: readonly Place[] = [
  ['the table', (t) => get(`/api/db/${e(t)}`)],
  ['the end of a table', (t) => get(`/api/db/teams${e(t)}`)],
  ['a column of a filter', (t) => get(`/api/db/teams?${e(t)}=eq.1`)],
  ['an operator', (t) => get(`/api/db/teams?name=${e(t)}.x`)],
  ['the value of eq', (t) => get(`/api/db/teams?name=eq.${e(t)}`)],
  ['the value of a uuid', (t) => get(`/api/db/teams?id=eq.${e(t)}`)],
  ['the value of a number', (t) => get(`/api/db/config_items?cost_total_30d=gt.${e(t)}`)],
  ['the value of a time', (t) => get(`/api/db/teams?created_at=lt.${e(t)}`)],
  ['the value of like', (t) => get(`/api/db/teams?name=ilike.${e(t)}`)],
  ['the value of match', (t) => get(`/api/db/teams?name=match.${e(t)}`)],
  ['the value of is', (t) => get(`/api/db/teams?name=is.${e(t)}`)],
  ['an item of in', (t) => get(`/api/db/teams?name=in.(a,${e(t)})`)],
  ['a quoted item of in', (t) => get(`/api/db/teams?name=in.("${e(t)}")`)],
  ['an array', (t) => get(`/api/db/teams?name=eq(any).{${e(t)}}`)],
  ['a range', (t) => get(`/api/db/checks?labels=cs.${e(t)}`)],
  ['the words of a search', (t) => get(`/api/db/teams?name=fts.${e(t)}`)],
  ['the language of a search', (t) => get(`/api/db/teams?name=fts(${e(t)}).x`)],
  ['a quantifier', (t) => get(`/api/db/teams?name=eq(${e(t)}).{a}`)],
  ['a tree', (t) => get(`/api/db/teams?or=(name.eq.a,${e(t)})`)],
  ['a value in a tree', (t) => get(`/api/db/teams?or=(name.eq.${e(t)},name.eq.b)`)],
  ['a column in a tree', (t) => get(`/api/db/teams?and=(${e(t)}.eq.a)`)],
  ['a JSON key of a filter', (t) => get(`/api/db/checks?labels->>${e(t)}=eq.1`)],
  ['a JSON key deep in a filter', (t) => get(`/api/db/checks?labels->${e(t)}->>a=eq.1`)],
  ['a selected column', (t) => get(`/api/db/teams?select=${e(t)}`)],
  ['an alias', (t) => get(`/api/db/teams?select=${e(t)}:name`)],
  ['a quoted alias', (t) => get(`/api/db/teams?select="${e(t)}":name`)],
  ['a cast', (t) => get(`/api/db/teams?select=name::${e(t)}`)],
  ['a JSON key that is selected', (t) => get(`/api/db/checks?select=labels->>${e(t)}`)],
  ['an embedded relation', (t) => get(`/api/db/checks?select=id,${e(t)}(id)`)],
  ['the alias of an embed', (t) => get(`/api/db/checks?select=id,${e(t)}:canaries(id)`)],
  ['a hint', (t) => get(`/api/db/checks?select=id,canaries!${e(t)}(id)`)],
  ['a column of an embed', (t) => get(`/api/db/checks?select=id,canaries(${e(t)})`)],
  ['a filter on an embed', (t) => get(`/api/db/checks?select=id,canaries(id)&canaries.name=eq.${e(t)}`)],
  ['the order', (t) => get(`/api/db/teams?order=${e(t)}`)],
  ['the direction', (t) => get(`/api/db/teams?order=name.${e(t)}`)],
  ['the place of nulls', (t) => get(`/api/db/teams?order=name.asc.${e(t)}`)],
  ['the order by an embed', (t) => get(`/api/db/checks?select=id,canaries(id)&order=canaries(${e(t)})`)],
  ['the order by a JSON key', (t) => get(`/api/db/checks?order=labels->>${e(t)}`)],
  ['the limit', (t) => get(`/api/db/teams?limit=${e(t)}`)],
  ['the offset', (t) => get(`/api/db/teams?offset=${e(t)}`)],
  ['a list filter', (t) => get(`/api/db/teams?name.filter=${e(t)}`)],
  ['a list filter on JSON', (t) => get(`/api/db/checks?labels.filter=${e(t)}`)],
  ['a list filter on a time', (t) => get(`/api/db/teams?created_at.filter=${e(t)}`)],
  ['a function', (t) => get(`/api/db/rpc/${e(t)}`)],
  ['the argument of a function', (t) => get(`/api/db/rpc/related_configs?config_id=${e(t)}`)],
  [
    'the text argument of a function',
    (t) => get(`/api/db/rpc/lookup_component_by_property?property_name=${e(t)}&property_value=x`),
  ],
  ['the name of an argument', (t) => get(`/api/db/rpc/related_configs?${e(t)}=1`)],
  ['Prefer', (t) => get('/api/db/teams', { prefer: inHeader(t) })],
  ['the time zone', (t) => get('/api/db/teams', { prefer: `timezone=${inHeader(t)}` })],
  ['the kind of count', (t) => get('/api/db/teams', { prefer: `count=${inHeader(t)}` })],
  ['Range', (t) => get('/api/db/teams', { range: inHeader(t), 'range-unit': 'items' })],
  ['Accept-Profile', (t) => get('/api/db/teams', { 'accept-profile': inHeader(t) })],
  ['Accept', (t) => get('/api/db/teams', { accept: inHeader(t) })],
];

const DATA_WRITES: readonly Place[] = [
  ['a column of a new row', (t) => post('/api/db/teams', { [t]: 1 })],
  ['a value of a new row', (t) => post('/api/db/teams', { name: t, created_by: t })],
  ['a JSON value of a new row', (t) => post('/api/db/canaries', { name: t, spec: { [t]: t }, labels: t })],
  ['the body itself', (t) => post('/api/db/teams', t)],
  ['columns', (t) => post(`/api/db/teams?columns=${e(t)}`, { name: 'x' })],
  [
    'on_conflict',
    (t) =>
      post(`/api/db/teams?on_conflict=${e(t)}`, { name: 'x' }, { prefer: 'resolution=merge-duplicates' }),
  ],
  ['the resolution', (t) => post('/api/db/teams', { name: 'x' }, { prefer: `resolution=${inHeader(t)}` })],
  ['what is returned', (t) => post('/api/db/teams', { name: 'x' }, { prefer: `return=${inHeader(t)}` })],
  ['Content-Profile', (t) => post('/api/db/teams', { name: 'x' }, { 'content-profile': inHeader(t) })],
  [
    'the filter of a change',
    (t) => ({ method: 'PATCH', path: `/api/db/teams?name=eq.${e(t)}`, body: { icon: t } }),
  ],
  [
    'the column of a change',
    (t) => ({ method: 'PATCH', path: '/api/db/teams?name=eq.nobody', body: { [t]: t } }),
  ],
  ['the filter of a removal', (t) => ({ method: 'DELETE', path: `/api/db/saved_query?id=eq.${e(t)}` })],
  [
    'the key of a replacement',
    (t) => ({ method: 'PUT', path: `/api/db/teams?id=eq.${e(t)}`, body: { id: t, name: t } }),
  ],
  ['the argument of a posted call', (t) => post('/api/db/rpc/related_configs', { config_id: t })],
  ['its name', (t) => post('/api/db/rpc/related_configs', { [t]: ID })],
];

const selector = (field: string): Place => [
  `resources: ${field}`,
  (t) =>
    post('/api/resources/search', {
      configs: [{ [field]: t }],
      checks: [{ [field]: t }],
      components: [{ [field]: t }],
      config_changes: [{ [field]: t }],
    }),
];
const CHANGES =
  'id config_type type severity summary source created_by external_created_by agent_id tags from to sort_by recursive'.split(
    ' ',
  );
const TOPOLOGY = 'id owner labels status type team agent_id hidden depth flatten sortBy sortOrder'.split(' ');

const FAMILIES: readonly Place[] = [
  ...'id name namespace agent scope health labelSelector tagSelector fieldSelector search cache'
    .split(' ')
    .map(selector),
  [
    'resources: a word of the search',
    (t) =>
      post('/api/resources/search', {
        configs: [{ search: `name="${t}" tags.${t}=${t} ${t}>1 @order=${t}` }],
      }),
  ],
  [
    'resources: a label',
    (t) => post('/api/resources/search', { checks: [{ labelSelector: `${t}=${t},x in (${t}),!${t}` }] }),
  ],
  ['resources: types', (t) => post('/api/resources/search', { configs: [{ types: [t], statuses: [t] }] })],
  ...CHANGES.map((field): Place => [
    `changes: ${field}`,
    (t) => post('/api/catalog/changes', { [field]: t }),
  ]),
  ...CHANGES.map((field): Place => [
    `changes by GET: ${field}`,
    (t) => get(`/api/catalog/changes?${field}=${e(t)}`),
  ]),
  ['summary: groupBy', (t) => post('/api/catalog/summary', { groupBy: [t] })],
  ['summary: tags', (t) => post('/api/catalog/summary', { tags: [t], groupBy: ['type'] })],
  ['summary: a label', (t) => post('/api/catalog/summary', { filter: { [t]: t } })],
  ['summary: status', (t) => post('/api/catalog/summary', { status: t, health: t })],
  ['summary: since', (t) => post('/api/catalog/summary', { changes: { since: t }, analysis: { since: t } })],
  ['summary: cost', (t) => post('/api/catalog/summary', { cost: t })],
  ...TOPOLOGY.map((field): Place => [
    `topology: ${field}`,
    (t) => get(`/api/canary/api/topology?${field}=${e(t)}`),
  ]),
  ['graph: check', (t) => get(`/api/canary/api/graph?check=${e(t)}`)],
  ['graph: time', (t) => get(`/api/canary/api/graph?check=${ID}&start=${e(t)}&end=${e(t)}`)],
  ['graph: points', (t) => get(`/api/canary/api/graph?check=${ID}&count=${e(t)}`)],
  ['health: time', (t) => get(`/api/canary/api/summary?start=${e(t)}&end=${e(t)}`)],
  [
    'health: labels',
    (t) => post('/api/canary/api/summary', { Labels: { [t]: t }, SortBy: t, DeleteFrom: t }),
  ],
  ['health: one check', (t) => get(`/api/canary/api?check=${e(t)}&includeMessages=${e(t)}`)],
  ['a run', (t) => post(`/api/canary/run/check/${e(t)}`, {})],
  ['snapshot: kind', (t) => get(`/api/snapshot/${e(t)}/${ID}`)],
  ['snapshot: id', (t) => get(`/api/snapshot/config/${e(t)}`)],
  ['snapshot: time', (t) => get(`/api/snapshot/incident/${ID}?start=${e(t)}&related=${e(t)}`)],
  ['artifacts of a check', (t) => get(`/api/artifacts/list/check/${e(t)}/${e(t)}`)],
  ['artifacts of a run', (t) => get(`/api/artifacts/list/playbook_run/${e(t)}`)],
  ['an artifact', (t) => get(`/api/artifacts/download/${e(t)}`)],
  ['playbooks of', (t) => get(`/api/playbook/list?config_id=${e(t)}&check_id=${e(t)}`)],
  ['playbook parameters', (t) => post(`/api/playbook/${e(t)}/params`, { config_id: t, params: { [t]: t } })],
  ['playbook run', (t) => post('/api/playbook/run', { id: t, component_id: t, params: { [t]: t } })],
  ['a run of a playbook', (t) => get(`/api/playbook/run/${e(t)}`)],
  ['logs', (t) => post('/api/logs', { id: t, name: t, query: t, start: t, labels: { [t]: t } })],
  ['silence', (t) => post('/api/notification/silence', { config_id: t, from: t, until: t, description: t })],
  ['agent', (t) => post('/api/agent/generate', { name: t, properties: { [t]: t } })],
  ['invitation', (t) => post('/api/auth/invite_user', { firstName: t, lastName: t, email: t, role: t })],
  ['user', (t) => post('/api/people/update', { id: t, firstName: t, lastName: t, email: t, role: t })],
  ['the id of a user', (t) => post(`/api/auth/${e(t)}/properties`, { role: t })],
  ['the state of a user', (t) => post(`/api/auth/${e(t)}/update_state`, { state: t })],
  ['the roles of a user', (t) => post(`/api/rbac/${e(t)}/update_role`, { roles: [t] })],
  ['a connection', (t) => post(`/api/connection/test/${e(t)}`, {})],
  ['a schema', (t) => get(`/api/schemas/${e(t)}`)],
  ['the feed: cursor', (t) => get(`/api/sync/changes?cursor=${e(t)}`)],
  ['the feed: cursor’s number', (t) => get(`/api/sync/changes?cursor=x.1${e(t)}`)],
  ['the feed: collections', (t) => get(`/api/sync/changes?collections=${e(t)}&limit=${e(t)}`)],
  ['a first visit: the list', (t) => get(`/api/first-visit?name=${e(t)}&args=${e(t)}`)],
  ['a first visit: its question', (t) => get(`/api/first-visit?name=live-health&args=${e(t)}`)],
  ['a first visit: columns and values of its question', (t) => incidentsWith(t)],
  ['a snapshot of the feed', (t) => get(`/api/sync/snapshot?collection=${e(t)}`)],
  ['its continuation', (t) => get(`/api/sync/snapshot?collection=checks&after=${e(t)}`)],
  ['its pages', (t) => get(`/api/sync/snapshot-pages?collection=${e(t)}`)],
  ['more pages', (t) => get(`/api/sync/snapshot-pages?collection=config_relationships&after=${e(t)}`)],
  [
    'a command',
    (t) =>
      post('/api/sync/commands', {
        deviceId: ID,
        commands: [
          { seq: 1, commandId: t, name: t, version: 1, args: { [t]: t }, basedOn: { [t]: t }, expiresAt: t },
        ],
      }),
  ],
  ['a device', (t) => post('/api/sync/commands', { deviceId: t, commands: [] })],
];

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

const IDENTITY: readonly Place[] = [
  ['a form', (t) => get(`/api/.ory/self-service/login/flows?id=${e(t)}`)],
  ['a form’s way back', (t) => get(`/api/.ory/self-service/login/browser?refresh=true&return_to=/${e(t)}`)],
  ['an invitation', (t) => get(`/api/.ory/self-service/registration/browser?invitation=${e(t)}`)],
  ['a link', (t) => get(`/api/.ory/self-service/recovery?token=${e(t)}`)],
  ['an error', (t) => get(`/api/.ory/self-service/errors?id=${e(t)}`)],
  ['a session', (t) => ({ method: 'DELETE', path: `/api/.ory/sessions/${e(t)}` })],
  ['sign-out', (t) => get(`/api/.ory/self-service/logout?token=${e(t)}`)],
  ['the user of Basic', (t) => get('/api/auth/whoami', { ...basic(`${t}:x`), cookie: '' })],
  ['the password of Basic', (t) => get('/api/auth/whoami', { ...basic(`admin:${t}`), cookie: '' })],
  ['a bearer', (t) => get('/api/auth/whoami', { authorization: `Bearer ${inHeader(t)}`, cookie: '' })],
  ['the session', (t) => get('/api/auth/whoami', { cookie: `ory_kratos_session=${e(t)}` })],
];

export const PLACES: readonly Place[] = [...DATA_READS, ...DATA_WRITES, ...FAMILIES, ...IDENTITY];
