/** What sending promises against a backend that has no commands (design §4 law 16). */
import 'fake-indexeddb/auto';
import { describe, expect, test } from 'vitest';
import type { CommandRequest } from '../../../../src/contract/commands/all-commands.ts';
import { bodyOf } from '../../../../tests/backends/command-backend.ts';
import { guid } from '../../../../tests/backends/guid.ts';
import { createDevice, createTestClock, USER } from '../../../../tests/backends/outbox-device.ts';
import { createPlainTransport } from './plain-transport.ts';

const [incident, root, note] = [guid(1), guid(2), guid(3)];
type Row = Record<string, unknown>;
type Fault = 'cut' | 'lost' | number;

/** Tables in memory with the data API's equality filters; a row's id is unique. */
function createTables(tables: Record<string, Row[]>) {
  const calls: string[] = [];
  const faults: (Fault | 'none')[] = [];
  let runs = 0;
  const json = (status: number, body: unknown) =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  const answer = (url: URL, method: string, body: Row): Response => {
    const name = url.pathname.split('/').at(-1) ?? '';
    if (url.pathname.includes('/run/check/')) {
      runs += 1;
      return json(200, [{ pass: true }]);
    }
    const rows = tables[name];
    if (rows === undefined) return json(404, { message: 'no such table' });
    const matches = (row: Row) =>
      [...url.searchParams].every(([column, value]) => {
        if (column === 'select') return true;
        return value === 'is.null' ? (row[column] ?? null) === null : value === `eq.${String(row[column])}`;
      });
    const found = rows.filter(matches);
    if (method === 'POST') {
      if (rows.some(({ id }) => id === body.id))
        return json(409, { message: 'duplicate key', code: '23505' });
      rows.push(body);
      return json(201, [body]);
    }
    if (method === 'PATCH') for (const row of found) Object.assign(row, body);
    if (method === 'DELETE') tables[name] = rows.filter((row) => !matches(row));
    return json(200, found);
  };
  return {
    tables,
    calls,
    faults,
    runs: () => runs,
    fetch: (path: string, init: RequestInit): Promise<Response> => {
      const url = new URL(path);
      const method = init.method ?? 'GET';
      calls.push(`${method} ${url.pathname.replace('/api', '')}`);
      const fault = faults.shift() ?? 'none';
      if (fault === 'cut') return Promise.reject(new TypeError('refused'));
      if (typeof fault === 'number') return Promise.resolve(json(fault, { error: `status ${fault}` }));
      const response = answer(url, method, bodyOf(init) as Row);
      return fault === 'lost' ? Promise.reject(new TypeError('reset')) : Promise.resolve(response);
    },
  };
}

function setup(rows: Record<string, Row[]> = {}) {
  const clock = createTestClock();
  const server = createTables({
    incidents: [],
    hypotheses: [],
    evidences: [],
    comments: [],
    responders: [],
    ...rows,
  });
  const device = createDevice({
    fetch: server.fetch,
    clock,
    transportOf: (http, serverNow) => createPlainTransport({ http, serverNow }),
  });
  const worker = device.open();
  const write = async (...requests: CommandRequest[]) => {
    for (const request of requests) await worker.outbox.append(request, device.context());
  };
  const states = async () => (await worker.outbox.items()).map(({ state }) => state);
  const drain = async () => {
    const run = await worker.start();
    await clock.runUntil(async () =>
      (await states()).every(({ kind }) => kind === 'accepted' || kind === 'refused'),
    );
    await run.stop();
  };
  const codes = async () =>
    (await states()).map((state) => (state.kind === 'refused' ? state.code : state.kind));
  return { clock, server, device, worker, write, drain, states, codes };
}

const create: CommandRequest = {
  name: 'create_incident',
  args: { id: incident, rootHypothesisId: root, title: 'Down' },
};
const rename: CommandRequest = { name: 'edit_incident', args: { id: incident, changes: { title: 'Up' } } };
const run: CommandRequest = { name: 'run_check', args: { checkId: guid(9) } };

describe('the plain contract', () => {
  test('an incident is posted, then its root hypothesis, both as their author', async () => {
    const { write, drain, server, codes } = setup();
    await write(create);
    await drain();
    expect(server.calls).toEqual(['POST /db/incidents', 'POST /db/hypotheses']);
    expect(server.tables.incidents?.[0]).toMatchObject({
      id: incident,
      title: 'Down',
      status: 'open',
      created_by: USER,
    });
    expect(server.tables.hypotheses?.[0]).toMatchObject({ id: root, incident_id: incident, type: 'root' });
    expect(await codes()).toEqual(['accepted']);
  });

  test('once all is sent the pull that shows it is asked for, not once a command', async () => {
    const { write, worker, clock } = setup();
    await write(create, rename);
    const sending = await worker.start();
    await clock.runUntil(() => worker.pullsAsked > 0);
    expect((await worker.outbox.items()).map(({ state }) => state.kind)).toEqual(['accepted', 'accepted']);
    await sending.stop();
    expect(worker.pullsAsked).toBe(1);
  });

  test.each<Fault>(['cut', 'lost', 503])(
    'after "%s" at either call both rows are there once',
    async (fault) => {
      for (const faults of [[fault], ['none', fault]] as const) {
        const { write, drain, server, codes } = setup();
        server.faults.push(...faults);
        await write(create);
        await drain();
        expect([server.tables.incidents?.length, server.tables.hypotheses?.length]).toEqual([1, 1]);
        expect(await codes()).toEqual(['accepted']);
      }
    },
  );

  test('an edit of a field that somebody else changed is refused with their value, and not written', async () => {
    const { write, drain, server, states, device } = setup({
      incidents: [{ id: incident, title: 'Theirs' }],
    });
    device.rows.set(incident, { id: incident, title: 'Down' });
    await write(rename);
    await drain();
    expect((await states())[0]).toMatchObject({ code: 'precondition_failed', current: { title: 'Theirs' } });
    expect(server.tables.incidents).toEqual([{ id: incident, title: 'Theirs' }]);
  });

  test('an edit sets what is left to set; an edit of what is gone is refused', async () => {
    const { write, drain, server, codes, device } = setup({
      incidents: [{ id: incident, title: 'Down', severity: 'low' }],
    });
    device.rows.set(incident, { id: incident, title: 'Down', severity: 'low' });
    await write(rename);
    await drain();
    expect(server.tables.incidents).toEqual([{ id: incident, title: 'Up', severity: 'low' }]);
    server.tables.incidents = [];
    await write({ name: 'edit_incident', args: { id: incident, changes: { title: 'Again' } } });
    await drain();
    expect(await codes()).toEqual(['accepted', 'gone']);
  });

  test('a value whose keys the database reordered is no conflict', async () => {
    const evidence = { id: note, evidence: { b: 2, a: 1 } };
    const { write, drain, codes, device, server } = setup({ evidences: [evidence] });
    device.rows.set(note, { id: note, evidence: { a: 1, b: 2 } });
    const changes = { evidence: { a: 3 } };
    await write({ name: 'edit_evidence', args: { id: note, incidentId: incident, changes } });
    await drain();
    expect(await codes()).toEqual(['accepted']);
    expect(server.tables.evidences?.[0]?.evidence).toEqual({ a: 3 });
  });

  test('a status goes only where it may go from what it is now', async () => {
    const { write, drain, codes, server } = setup({ incidents: [{ id: incident, status: 'closed' }] });
    await write(
      { name: 'set_incident_status', args: { id: incident, from: 'open', to: 'mitigated' } },
      { name: 'set_incident_status', args: { id: incident, from: 'closed', to: 'open' } },
    );
    await drain();
    expect(await codes()).toEqual(['precondition_failed', 'accepted']);
    expect(server.tables.incidents?.[0]?.status).toBe('open');
  });

  test('a hypothesis goes after its comments and evidences', async () => {
    const { write, drain, server } = setup({
      hypotheses: [{ id: root }],
      comments: [{ id: note, hypothesis_id: root }, { id: guid(4) }],
      evidences: [{ id: guid(5), hypothesis_id: root }],
    });
    await write({ name: 'delete_hypothesis', args: { id: root, incidentId: incident } });
    await drain();
    expect(server.calls).toEqual(['DELETE /db/comments', 'DELETE /db/evidences', 'DELETE /db/hypotheses']);
    expect([server.tables.hypotheses, server.tables.evidences]).toEqual([[], []]);
    expect(server.tables.comments).toEqual([{ id: guid(4) }]);
  });

  test('everything of an incident written offline arrives in order', async () => {
    const { write, drain, server, codes } = setup();
    const on = { incidentId: incident };
    await write(
      create,
      { name: 'create_hypothesis', args: { ...on, id: guid(20), parentId: root, title: 'Disk' } },
      { name: 'add_evidence', args: { ...on, id: guid(21), hypothesisId: guid(20), type: 'comment' } },
      { name: 'add_comment', args: { ...on, id: note, comment: 'hello' } },
      { name: 'edit_comment', args: { ...on, id: note, comment: 'hello again' } },
      { name: 'add_responder', args: { ...on, id: guid(22), type: 'person', personId: guid(30) } },
      { name: 'add_responder', args: { ...on, id: guid(23), type: 'person', personId: guid(30) } },
      { name: 'edit_hypothesis', args: { ...on, id: guid(20), changes: { status: 'proven' } } },
      { name: 'edit_evidence', args: { ...on, id: guid(21), changes: { done: true } } },
      { name: 'delete_evidence', args: { ...on, id: guid(21) } },
    );
    await drain();
    expect(new Set(await codes())).toEqual(new Set(['accepted']));
    const { tables } = server;
    expect(tables.hypotheses?.map(({ status }) => status)).toEqual(['possible', 'proven']);
    expect(tables.evidences).toEqual([]);
    expect(tables.comments).toMatchObject([{ id: note, comment: 'hello again', created_by: USER }]);
    expect(tables.responders).toMatchObject([{ id: guid(22), person_id: guid(30) }]);
    await write({
      name: 'set_responder_progress',
      args: { ...on, id: guid(22), step: 'resolved', isSet: true },
    });
    await drain();
    expect(tables.responders?.[0]?.resolved).toBe('now()');
    await write(
      { name: 'remove_responder', args: { ...on, id: guid(22) } },
      { name: 'delete_comment', args: { ...on, id: note } },
    );
    await drain();
    expect(tables.responders?.[0]?.deleted_at).toBe('now()');
    expect(tables.comments).toEqual([]);
  });

  test.each([
    [403, 'forbidden'],
    [404, 'gone'],
    [422, 'invalid'],
  ])('status %i is a refusal: %s', async (status, code) => {
    const { write, drain, server, codes } = setup();
    server.faults.push(status);
    await write({ name: 'add_comment', args: { id: note, incidentId: incident, comment: 'x' } });
    await drain();
    expect(await codes()).toEqual([code]);
    expect(server.calls).toHaveLength(1);
  });

  test.each<Fault>(['cut', 'lost', 503])(
    'a run whose answer is lost ("%s") is given back, never run twice',
    async (fault) => {
      const { write, drain, server, codes } = setup();
      server.faults.push(fault);
      await write(run);
      await drain();
      expect(await codes()).toEqual(['expired']);
      expect(server.calls).toHaveLength(1);
      expect(server.runs()).toBeLessThanOrEqual(1);
    },
  );

  test('a run that was surely not begun goes when it may', async () => {
    const { write, server, worker, clock, codes } = setup();
    server.faults.push(401);
    await write(run);
    const going = await worker.start();
    await clock.runUntil(() => worker.unauthorized > 0);
    expect(await codes()).toEqual(['kept']);
    worker.sender.wake();
    await clock.runUntil(() => server.runs() > 0);
    await clock.runUntil(async () => (await codes())[0] === 'accepted', 0);
    await going.stop();
    expect(await codes()).toEqual(['accepted']);
  });

  test('what was done leaves with the first complete pull that began afterwards', async () => {
    const { write, drain, worker, codes } = setup();
    await write(create);
    const early = await worker.outbox.acceptedWithoutCursor();
    await drain();
    await worker.outbox.seenByPull(early);
    expect(await codes()).toEqual(['accepted']);
    await worker.outbox.seenByPull(await worker.outbox.acceptedWithoutCursor());
    expect(await codes()).toEqual([]);
  });
});
