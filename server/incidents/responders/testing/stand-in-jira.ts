/** For tests only: as much of Jira's REST interface as responders need, over real HTTP. */
import { startLocalServer } from '../../../catalog/scrapers/testing/local-server.ts';
import type { Answered, Asked, LocalServer } from '../../../catalog/scrapers/testing/local-server.ts';

interface Issue {
  key: string;
  fields: Record<string, unknown> & { labels?: string[] };
  status: { name: string; statusCategory: { key: string } };
  comments: { id: string; body: string; author: { displayName: string } }[];
}

export interface StandInJira {
  url: string;
  server: LocalServer;
  issues: Issue[];
  /** What the next requests to this path are answered instead; `after` does the work first, as a lost answer. */
  trouble: { path: RegExp; method: string; answer: Answered; isAfter?: boolean; times: number }[];
  close(): Promise<void>;
}

const STATUSES = {
  'To Do': 'new',
  'In Progress': 'indeterminate',
  Done: 'done',
} as const;
export type JiraStatus = keyof typeof STATUSES;
const TRANSITIONS = Object.keys(STATUSES).map((name, place) => ({ id: String(place), name, to: { name } }));
export const statusOf = (name: JiraStatus) => ({ name, statusCategory: { key: STATUSES[name] } });

const OPTIONS: Readonly<Record<string, unknown>> = {
  '/rest/api/2/priority': [{ id: '1', name: 'Highest', iconUrl: 'x' }],
  '/rest/api/2/project': [
    { key: 'OPS', name: 'Operations', id: '1' },
    { key: 'SEE', name: 'To look at only', id: '2' },
  ],
  '/rest/api/2/issue/createmeta/OPS/issuetypes': { values: [{ id: '10001', name: 'Task', subtask: false }] },
};

function createIssue(issues: Issue[], body: string): Answered {
  const { fields } = JSON.parse(body) as { fields: Record<string, unknown> };
  const key = `OPS-${issues.length + 1}`;
  issues.push({ key, fields, status: statusOf('To Do'), comments: [] });
  return { status: 201, body: { id: key, key } };
}

function aboutIssue(issue: Issue, asked: Asked, rest: string): Answered {
  const sent = asked.method === 'GET' ? {} : (JSON.parse(asked.body) as Record<string, unknown>);
  if (rest === 'comment' && asked.method === 'POST') {
    const comment = {
      id: `${issue.key}-c${issue.comments.length + 1}`,
      body: String(sent['body']),
      author: { displayName: 'Holdfast' },
    };
    issue.comments.push(comment);
    return { status: 201, body: comment };
  }
  if (rest === 'comment') return { body: { comments: issue.comments.toReversed() } };
  if (rest === 'transitions' && asked.method === 'POST') {
    const { id } = sent['transition'] as { id: string };
    const to = TRANSITIONS.find((one) => one.id === id)?.name as JiraStatus;
    issue.status = statusOf(to);
    return { status: 204, body: '' };
  }
  if (rest === 'transitions') return { body: { transitions: TRANSITIONS } };
  return { body: { key: issue.key, fields: { status: issue.status } } };
}

function answerOf(issues: Issue[], asked: Asked): Answered {
  const { pathname, searchParams } = asked.url;
  const options = OPTIONS[pathname];
  if (options !== undefined) return { body: options };
  if (pathname === '/rest/api/2/issue') return createIssue(issues, asked.body);
  if (pathname === '/rest/api/2/search') {
    const label = /"(.+)"/.exec(searchParams.get('jql') ?? '')?.[1] ?? '';
    return {
      body: {
        issues: issues.filter(({ fields }) => fields.labels?.includes(label)).map(({ key }) => ({ key })),
      },
    };
  }
  const [, key, rest = ''] = /^\/rest\/api\/2\/issue\/([A-Z]+-\d+)(?:\/(\w+))?$/.exec(pathname) ?? [];
  const issue = issues.find((one) => one.key === key);
  return issue === undefined
    ? { status: 404, body: { errorMessages: ['Issue does not exist'], errors: {} } }
    : aboutIssue(issue, asked, rest);
}

/** Takes only `user` with `password`. */
export async function startStandInJira(user: string, password: string): Promise<StandInJira> {
  const issues: Issue[] = [];
  const trouble: StandInJira['trouble'] = [];
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const server = await startLocalServer((asked) => {
    if (asked.headers['authorization'] !== authorization)
      return { status: 401, body: { errorMessages: [`no: ${String(asked.headers['authorization'])}`] } };
    const found = trouble.find(
      (one) => one.times > 0 && one.method === asked.method && one.path.test(asked.url.pathname),
    );
    if (found === undefined) return answerOf(issues, asked);
    found.times -= 1;
    if (found.isAfter === true) answerOf(issues, asked);
    return found.answer;
  });
  return { url: server.url, server, issues, trouble, close: () => server.close() };
}
