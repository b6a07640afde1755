/** For tests only: as much of ServiceNow's Table API as responders need, over real HTTP. */
import { startLocalServer } from '../../../catalog/scrapers/testing/local-server.ts';
import type { Answered, Asked, LocalServer } from '../../../catalog/scrapers/testing/local-server.ts';

interface Row extends Record<string, string> {
  sys_id: string;
  number: string;
  state: string;
}

export interface StandInServiceNow {
  url: string;
  server: LocalServer;
  rows: Row[];
  journal: { sys_id: string; element_id: string; element: string; value: string; sys_created_by: string }[];
  /** What the next requests of this method are answered instead, after the work was done, as a lost answer. */
  trouble: { method: string; answer: Answered; times: number }[];
  close(): Promise<void>;
}

const STATES: Readonly<Record<string, string>> = {
  '1': 'New',
  '2': 'In Progress',
  '6': 'Resolved',
  '7': 'Closed',
};

type State = Pick<StandInServiceNow, 'rows' | 'journal'>;

function create({ rows }: State, sent: Record<string, string>): Answered {
  const number = `INC00${rows.length + 1}`;
  const row = { ...sent, sys_id: `sys${rows.length + 1}`, number, state: '1' };
  rows.push(row);
  return { status: 201, body: { result: row } };
}

function patch({ journal }: State, row: Row, sent: Record<string, string>): Answered {
  for (const element of ['comments', 'work_notes']) {
    const value = sent[element];
    if (value !== undefined)
      journal.push({
        sys_id: `j${journal.length + 1}`,
        element_id: row.sys_id,
        element,
        value,
        sys_created_by: 'bot',
      });
  }
  const { comments: _comments, work_notes: _notes, ...fields } = sent;
  Object.assign(row, fields);
  return { body: { result: row } };
}

function answerOf(state: State, asked: Asked): Answered {
  const { pathname, searchParams } = asked.url;
  const query = searchParams.get('sysparm_query') ?? '';
  const sent = asked.body === '' ? {} : (JSON.parse(asked.body) as Record<string, string>);
  if (pathname === '/api/now/table/sys_journal_field') {
    const [, of, element, like = ''] =
      /^element_id=(\w+)\^element=(\w+)(?:\^valueLIKE([^^]+))?/.exec(query) ?? [];
    const result = state.journal.filter(
      (one) => one.element_id === of && one.element === element && one.value.includes(like),
    );
    return { body: { result: result.toReversed() } };
  }
  if (pathname === '/api/now/table/incident' && asked.method === 'POST') return create(state, sent);
  if (pathname === '/api/now/table/incident') {
    const [, of] = /^correlation_id=(.+)$/.exec(query) ?? [];
    return { body: { result: state.rows.filter((row) => row['correlation_id'] === of) } };
  }
  const row = state.rows.find((one) => pathname === `/api/now/table/incident/${one.sys_id}`);
  if (row === undefined) return { status: 404, body: { error: { message: 'No Record found' } } };
  if (asked.method === 'PATCH') return patch(state, row, sent);
  return { body: { result: { state: { value: row.state, display_value: STATES[row.state] ?? row.state } } } };
}

export async function startStandInServiceNow(): Promise<StandInServiceNow> {
  const state: State = { rows: [], journal: [] };
  const trouble: StandInServiceNow['trouble'] = [];
  const server = await startLocalServer((asked) => {
    const answer = answerOf(state, asked);
    const found = trouble.find((one) => one.times > 0 && one.method === asked.method);
    if (found === undefined) return answer;
    found.times -= 1;
    return found.answer;
  });
  return { ...state, trouble, url: server.url, server, close: () => server.close() };
}
