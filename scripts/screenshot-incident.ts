/**
 * One incident as a good team leaves it behind: a tree of causes, evidence of every type, people and a team who
 * help, a conversation, and what has to be true before it is over. For the pictures of docs/screenshots.
 */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';

const MINUTE_MS = 60_000;
const DIFF = [
  '--- before',
  '+++ after',
  '@@ -14,7 +14,7 @@',
  '   resources:',
  '     limits:',
  '       memory: 512Mi',
  '-  poolSize: 40',
  '+  poolSize: 8',
  '   image: shop/checkout:2024.11.3',
  '',
].join('\n');
const LOG = [
  ['info', 'GET /cart 200 in 84 ms'],
  ['info', 'GET /cart 200 in 91 ms'],
  ['warn', 'pool: 8 of 8 connections in use, 31 waiting'],
  ['error', 'POST /pay: timed out waiting for a connection after 5000 ms'],
  ['error', 'POST /pay: timed out waiting for a connection after 5000 ms'],
  ['info', 'health: ok'],
] as const;

type Row = Record<string, unknown>;

/** Writes rows as a scraper's or another client's would come in: through the data API. */
export async function insert(page: Page, table: string, rows: readonly Row[]): Promise<void> {
  const { origin } = new URL(page.url());
  const answer = await page.request.post(`${origin}/api/db/${table}`, { headers: { origin }, data: rows });
  if (!answer.ok()) throw new Error(`${table}: ${await answer.text()}`);
}

async function read(page: Page, query: string): Promise<Row[]> {
  const { origin } = new URL(page.url());
  const answer = await page.request.get(`${origin}/api/db/${query}`);
  if (!answer.ok()) throw new Error(`${query}: ${await answer.text()}`);
  return answer.json();
}

async function idOf(page: Page, query: string): Promise<string> {
  const [row] = await read(page, `${query}&limit=1`);
  if (typeof row?.['id'] !== 'string') throw new Error(`nothing is there: ${query}`);
  return row['id'];
}

const person = (page: Page, name: string) =>
  idOf(page, `people?select=id&name=eq.${encodeURIComponent(name)}`);

interface Subjects {
  config: string;
  change: string;
  insight: string;
  component: string;
  check: string;
}

/** What the evidence is about. */
async function addSubjects(page: Page): Promise<Subjects> {
  const [config, change, insight, component] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await insert(page, 'config_items', [
    {
      id: config,
      name: 'checkout',
      type: 'Kubernetes::Deployment',
      config_class: 'Deployment',
      health: 'unhealthy',
      status: 'Degraded',
      config: { spec: { replicas: 3, poolSize: 8 } },
    },
  ]);
  await insert(page, 'config_changes', [
    {
      id: change,
      config_id: config,
      change_type: 'diff',
      severity: 'high',
      source: 'kubernetes',
      summary: 'poolSize from 40 to 8',
      diff: DIFF,
    },
  ]);
  await insert(page, 'config_analysis', [
    {
      id: insight,
      config_id: config,
      analyzer: 'connection-pools',
      analysis_type: 'reliability',
      severity: 'critical',
      status: 'open',
      summary: 'Smaller pool than replicas ask for',
      message: 'Three replicas ask for 24 connections at least; the pool has 8.',
      last_observed: new Date().toISOString(),
    },
  ]);
  await insert(page, 'components', [
    { id: component, external_id: 'checkout', name: 'checkout', type: 'Application', status: 'unhealthy' },
  ]);
  const check = await idOf(page, 'checks?select=id&status=eq.unhealthy&order=name');
  return { config, change, insight, component, check };
}

interface Cast {
  ada: string;
  noor: string;
  jonas: string;
  mei: string;
  team: string;
}

async function addCast(page: Page): Promise<Cast> {
  const [ada, noor, jonas, mei] = await Promise.all([
    person(page, 'Ada Berg'),
    person(page, 'Noor Haddad'),
    person(page, 'Jonas Weiss'),
    person(page, 'Mei Lin'),
  ]);
  const team = randomUUID();
  const spec = {
    responder_clients: {
      jira: { defaults: { project: 'OPS' }, linkUrl: 'https://jira.example/browse/{{external_id}}' },
      email: {},
    },
  };
  await insert(page, 'teams', [{ id: team, name: 'Payments', spec, source: 'UI', created_by: ada }]);
  return { ada, noor, jonas, mei, team };
}

interface Story extends Cast {
  incident: string;
  subjects: Subjects;
  /** That many minutes ago. */
  at: (minutes: number) => { created_at: string; updated_at: string };
}

async function addHypotheses(
  page: Page,
  story: Story,
): Promise<{ root: string; pool: string; raise: string }> {
  const { incident, at, ada, noor, jonas } = story;
  const [root, pool, query, raise] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const rows = [
    [root, null, 'root', 'Checkout answers slowly since 10:40', 'likely', ada, 51],
    [pool, root, 'factor', 'The release made the connection pool too small', 'proven', noor, 44],
    [query, root, 'factor', 'A slow query on the orders table', 'disproven', jonas, 42],
    [raise, pool, 'solution', 'Set poolSize back to 40 and roll out', 'likely', noor, 21],
  ] as const;
  for (const [id, parent, type, title, status, by, minutes] of rows)
    await insert(page, 'hypotheses', [
      { id, parent_id: parent, incident_id: incident, type, title, status, created_by: by, ...at(minutes) },
    ]);
  return { root, pool, raise };
}

async function addEvidences(page: Page, story: Story, nodes: { root: string; pool: string; raise: string }) {
  const { at, ada, noor, jonas, subjects } = story;
  const log = {
    start: 2041,
    lines: LOG.map(([level, message], index) => ({
      number: 2041 + index,
      timestamp: at(48 - index / 4).created_at,
      message,
      labels: { level, pod: 'checkout-7f9c' },
    })),
    selected_lines: [2043, 2044],
  };
  const rows = [
    [nodes.root, { type: 'check', check_id: subjects.check }, '', ada, 50],
    [
      nodes.root,
      { type: 'topology', component_id: subjects.component },
      'All of checkout is affected',
      ada,
      49,
    ],
    [nodes.pool, { type: 'log', evidence: log }, 'Requests wait for a connection', noor, 43],
    [nodes.pool, { type: 'config_change', config_change_id: subjects.change }, '', noor, 41],
    [nodes.pool, { type: 'config', config_id: subjects.config }, '', jonas, 38],
    [nodes.pool, { type: 'config_analysis', config_analysis_id: subjects.insight }, '', jonas, 36],
  ] as const;
  for (const [hypothesis, subject, description, by, minutes] of rows)
    await insert(page, 'evidences', [
      {
        id: randomUUID(),
        hypothesis_id: hypothesis,
        description,
        created_by: by,
        ...subject,
        ...at(minutes),
      },
    ]);
  const done = [
    ['p95 of checkout is under 300 ms for ten minutes', null, 20],
    ['Customers were told on the status page', true, 18],
  ] as const;
  for (const [comment, isDone, minutes] of done)
    await insert(page, 'evidences', [
      {
        id: randomUUID(),
        hypothesis_id: nodes.raise,
        type: 'comment',
        description: comment,
        evidence: { comment },
        definition_of_done: true,
        done: isDone,
        created_by: ada,
        ...at(minutes),
      },
    ]);
}

async function addResponders(page: Page, story: Story): Promise<void> {
  const { incident, ada, noor, jonas, team, at } = story;
  const jira = {
    responderType: 'jira',
    project: 'OPS',
    summary: 'Checkout answers slowly',
    issueType: 'Bug',
  };
  const rows: Row[] = [
    { type: 'person', person_id: noor, properties: { responderType: 'person' }, ...at(46) },
    { type: 'person', person_id: jonas, properties: { responderType: 'person' }, ...at(45) },
    { type: 'system', team_id: team, properties: jira, external_id: 'OPS-1482', ...at(40) },
  ];
  for (const row of rows)
    await insert(page, 'responders', [{ id: randomUUID(), incident_id: incident, created_by: ada, ...row }]);
}

async function addComments(page: Page, story: Story, nodes: { root: string; pool: string }): Promise<void> {
  const { incident, at, ada, noor, jonas, mei } = story;
  const rows = [
    ['p95 went from 180 ms to 2.4 s at 10:40. Payments time out for about one in five.', ada, nodes.root, 48],
    [
      `@[Noor Haddad](user:${noor}) that is when the release went out. Can you look at its diff?`,
      ada,
      nodes.root,
      47,
    ],
    [
      'The pool went from 40 to 8 in it, a wrong merge. Everything queues for a connection.',
      noor,
      nodes.pool,
      41,
    ],
    [
      'The query plans of orders are as they were yesterday, so it is not the database.',
      jonas,
      nodes.root,
      37,
    ],
    [
      `Raising it again now. @[Mei Lin](user:${mei}) please put a note on the status page: https://status.example.com`,
      noor,
      nodes.root,
      22,
    ],
    ['Done. Support has twelve tickets about it so far, all answered.', mei, nodes.root, 18],
  ] as const;
  for (const [comment, by, hypothesis, minutes] of rows)
    await insert(page, 'comments', [
      {
        id: randomUUID(),
        comment,
        incident_id: incident,
        hypothesis_id: hypothesis,
        created_by: by,
        ...at(minutes),
      },
    ]);
}

/** Adds it as the newest incident; `page` shows any page of the server and is signed in. Answers its id. */
export async function addBelievableIncident(page: Page): Promise<string> {
  const nowMs = await page.evaluate(() => Date.now());
  const at = (minutes: number) => {
    const time = new Date(nowMs - minutes * MINUTE_MS).toISOString();
    return { created_at: time, updated_at: time };
  };
  const cast = await addCast(page);
  const subjects = await addSubjects(page);
  const incident = randomUUID();
  await insert(page, 'incidents', [
    {
      id: incident,
      title: 'Checkout answers slowly since the 10:40 release',
      description: 'One in five payments times out. Carts and browsing are fine.',
      severity: 'critical',
      type: 'performance',
      status: 'open',
      created_by: cast.ada,
      commander_id: cast.ada,
      ...at(52),
    },
  ]);
  const story = { ...cast, incident, subjects, at };
  const nodes = await addHypotheses(page, story);
  await addEvidences(page, story, nodes);
  await addResponders(page, story);
  await addComments(page, story, nodes);
  return incident;
}
