/** A run as its page shows it while it ends. */
import { expect, test } from 'vitest';
import type { HttpClient } from '../../network/http-client.ts';
import { createQueryTester } from '../../subscriptions/testing/query-tester.ts';
import { query } from './playbook-run.ts';

const RUN_ID = '018f0000-0000-7000-8000-000000000001';

/** The run ends while it is asked for; the answer about the run comes late. */
function endingServer() {
  let isOver = false;
  const rowsOf = (path: string) =>
    path.includes('playbook_run_actions')
      ? [{ id: 's', name: 'Change', status: isOver ? 'completed' : 'running' }]
      : [{ id: RUN_ID, playbook_id: 'p', status: isOver ? 'completed' : 'running' }];
  const http: HttpClient = {
    async send({ path }) {
      if (!path.includes('playbook_run_actions')) {
        for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
        isOver = true;
      }
      return { status: 200, headers: new Headers(), text: JSON.stringify(rowsOf(path)) };
    },
    json: () => Promise.reject(new Error('not asked')),
  };
  return http;
}

test('no step of a run that is over is shown as it was before: the run is not asked for again', async () => {
  const answer = await createQueryTester({ http: endingServer() }).first(query, { runId: RUN_ID });
  expect(answer).toMatchObject({
    ok: true,
    value: { value: { run: { status: 'completed' }, steps: [{ status: 'completed' }] } },
  });
});
