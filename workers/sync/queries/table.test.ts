import { expect, test } from 'vitest';
import type { TableQuestion } from '../../../src/contract/http/table-question.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { HttpClient } from '../network/http-client.ts';
import { createQueryTester } from '../subscriptions/testing/query-tester.ts';
import { query } from './table.ts';

/** A server that answers every question with these rows, and remembers what it was asked. */
function serverWith(rows: unknown[]) {
  const paths: string[] = [];
  const http: HttpClient = {
    send: async ({ path }) => {
      paths.push(path);
      return { status: 200, headers: new Headers(), text: JSON.stringify(rows) };
    },
    json: async ({ path }) => {
      paths.push(path);
      return rows;
    },
  };
  const tester = createQueryTester({ http });
  const ask = async (question: TableQuestion) => {
    const answer = await tester.first(query, question);
    if (!answer.ok) throw new AppError(answer.error.code, answer.error.message);
    return answer.value;
  };
  return { paths, ask };
}

const RELATED: TableQuestion = {
  view: 'related_configs',
  where: [
    { op: 'eq', column: 'config_id', value: 'one' },
    { op: 'eq', column: 'type_filter', value: 'all' },
  ],
  order: [],
  offset: 0,
  limit: 1000,
};

test('a function of the data API gets the conditions as its arguments', async () => {
  const { paths, ask } = serverWith([{ id: 'two', name: 'pod', changes: '3' }]);
  const { value } = await ask(RELATED);
  expect(paths).toEqual(['/api/db/rpc/related_configs_recursive?config_id=one&type_filter=all&limit=1000']);
  expect(value).toEqual({ rows: [{ id: 'two', name: 'pod', changes: 3 }], total: 1 });
});

test('rows without a value come last, whichever way a list is sorted', async () => {
  const { paths, ask } = serverWith([]);
  const by = (isDescending: boolean) => [{ column: 'duration_millis', isDescending }];
  await ask({ ...RELATED, view: 'job_histories', where: [], order: by(true) });
  await ask({ ...RELATED, view: 'job_histories', where: [], order: by(false) });
  expect(paths.map((path) => new URLSearchParams(path.split('?')[1]).get('order'))).toEqual([
    'duration_millis.desc.nullslast',
    'duration_millis.asc',
  ]);
});

test('an answer that is no list of rows is refused, not kept', async () => {
  const { ask } = serverWith([{ name: 'without an id' }]);
  await expect(ask(RELATED)).rejects.toMatchObject({ code: 'bad_payload' });
});

test('a whole list is read page after page, each row once, and the total is told', async () => {
  const all = Array.from({ length: 2500 }, (_none, at) => ({ id: `id-${at}`, name: `c${at}` }));
  const asked: string[] = [];
  const http: HttpClient = {
    send: async ({ path }) => {
      const params = new URLSearchParams(path.split('?')[1]);
      asked.push(params.get('order') ?? '');
      const [from, size] = [Number(params.get('offset') ?? 0), Number(params.get('limit'))];
      const headers = new Headers({ 'content-range': `${from}-${from + size - 1}/${all.length}` });
      return { status: 200, headers, text: JSON.stringify(all.slice(from, from + size)) };
    },
    json: () => Promise.reject(new Error('not asked')),
  };
  const order = [{ column: 'created_at', isDescending: true }];
  const question = { view: 'connections' as const, where: [], order, offset: 0, limit: 1000 };
  const ask = (isWhole: boolean) => createQueryTester({ http }).first(query, { ...question, isWhole });
  expect(await ask(true)).toMatchObject({ ok: true, value: { value: { total: 2500, rows: all } } });
  // What is sorted alike keeps its place from page to page.
  expect(asked.slice(1)).toEqual(Array.from({ length: 3 }, () => 'created_at.desc.nullslast,id.asc'));
  const first = { total: 2500, rows: all.slice(0, 1000) };
  expect(await ask(false)).toMatchObject({ ok: true, value: { value: first } });
});
