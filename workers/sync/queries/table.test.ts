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
