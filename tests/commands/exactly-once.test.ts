/** One effect however often, however concurrently and however brokenly a command is sent (design §4 law 4). */
import { request } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import type { CommandEnvelope } from '../../src/contract/sync.ts';
import { startTestServer } from '../security/support/test-server.ts';
import type { TestServer } from '../security/support/test-server.ts';
import { id, openDevice } from './support/command-device.ts';
import { DEADLOCK_TITLE, failDeadlocks } from './support/deadlock-query.ts';
import type { CommandDevice } from './support/command-device.ts';
import {
  addComment,
  addHypothesis,
  createIncident,
  editIncident,
  newIncident,
} from './support/incident-drafts.ts';

forEachDatabase((name, openDatabase) => {
  let server: TestServer;
  let device: CommandDevice;

  beforeAll(async () => {
    const db = await openDatabase();
    server = await startTestServer(db);
    device = await openDevice(server, 'responder');
    await failDeadlocks(db);
  });
  afterAll(() => server.stop());

  const countComments = async (incidentId: string) =>
    Number(await server.db.text('select count(*)::text from comments where incident_id = $1', [incidentId]));

  test('the same batch fifty times is one effect and one answer', async () => {
    const ids = { incidentId: id(), rootId: id() };
    const batch = device.number(createIncident(ids), addComment(ids, id()), addComment(ids, id(), ' '));
    const first = await device.answer(batch);
    expect(first.results.map(({ outcome }) => outcome.kind)).toEqual(['applied', 'applied', 'refused']);
    for (let round = 0; round < 49; round += 1) {
      const { server_time: _, ...again } = await device.answer(batch);
      expect(again).toEqual({ results: first.results, expectedSeq: first.expectedSeq, isOutOfOrder: false });
    }
    expect(await countComments(ids.incidentId)).toBe(1);
  });

  test('identical batches at the same time, also from two devices of a person, are one effect', async () => {
    const ids = await newIncident(device);
    const twin = device.twin();
    const batch = device.number(addComment(ids, id()), addComment(ids, id()));
    const renumbered = batch.map((command, index) => ({ ...command, seq: index + 1 }));
    const answers = await Promise.all(
      [1, 2, 3, 4].flatMap(() => [device.answer(batch), twin.answer(renumbered)]),
    );
    const outcomes = answers.map(({ results }) => results.map(({ outcome }) => outcome));
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
    expect(outcomes[0]?.map(({ kind }) => kind)).toEqual(['applied', 'applied']);
    expect(await countComments(ids.incidentId)).toBe(2);
  });

  test('which of its commands were done is told to their author, and to nobody else', async () => {
    const ids = await newIncident(device);
    const [done, refused] = device.number(addComment(ids, id()), addComment(ids, id(), ' '));
    if (done === undefined || refused === undefined) throw new Error('two were numbered');
    await device.answer([done, refused]);
    const commandIds = [done.commandId, refused.commandId, id()];
    const ask = async (who: CommandDevice) =>
      (await who.browser.post('/api/sync/commands/known', { commandIds })).json();
    expect(await ask(device)).toEqual({ applied: [done.commandId] });
    expect(await ask(await openDevice(server, 'responder'))).toEqual({ applied: [] });
  });

  test('a command that comes again under the next number is answered as before, and the number is used', async () => {
    const ids = await newIncident(device);
    const [command] = device.number(addComment(ids, id()));
    if (command === undefined) throw new Error('no command');
    const first = await device.answer([command]);
    const [moved] = device.number({ ...command, seq: command.seq + 1 });
    if (moved === undefined) throw new Error('no command');
    const second = await device.answer([moved]);
    expect(second.results[0]?.outcome).toEqual(first.results[0]?.outcome);
    expect(second.expectedSeq).toBe(command.seq + 2);
    expect(await countComments(ids.incidentId)).toBe(1);
  });

  test('a gap stops the batch there; nothing after it is looked at; the missing one mends it', async () => {
    const ids = await newIncident(device);
    const batch = device.number(addComment(ids, id()), addComment(ids, id()), addComment(ids, id()));
    const [first, missing, last] = batch;
    if (first === undefined || missing === undefined || last === undefined) throw new Error('no commands');
    const gap = await device.answer([first, last]);
    expect(gap).toMatchObject({ isOutOfOrder: true, expectedSeq: missing.seq });
    expect(gap.results.map(({ seq }) => seq)).toEqual([first.seq]);
    expect(await countComments(ids.incidentId)).toBe(1);
    const mended = await device.answer(batch);
    expect(mended).toMatchObject({ isOutOfOrder: false, expectedSeq: last.seq + 1 });
    expect(await countComments(ids.incidentId)).toBe(3);
  });

  test('a number that was used for another command does nothing and says so', async () => {
    const ids = await newIncident(device);
    const [command] = device.number(addComment(ids, id()));
    if (command === undefined) throw new Error('no command');
    await device.answer([command]);
    const { results } = await device.answer([{ ...command, commandId: id() }]);
    expect(results[0]?.outcome.kind).toBe('failed');
    expect(await countComments(ids.incidentId)).toBe(1);
  });

  test('an empty batch says where the device stands, and a new device starts at one', async () => {
    const twin = device.twin();
    expect(await twin.answer([])).toMatchObject({ results: [], expectedSeq: 1 });
    await newIncident(twin);
    expect(await twin.answer([])).toMatchObject({ results: [], expectedSeq: 2 });
  });

  test('what the database could not do is used up as a number, takes along what needs it, and works later', async () => {
    const ids = await newIncident(device);
    const other = await newIncident(device);
    const hypothesisId = id();
    const args = { id: hypothesisId, incidentId: ids.incidentId, title: DEADLOCK_TITLE };
    const below = addHypothesis({ incidentId: ids.incidentId, rootId: hypothesisId }, id());
    const batch = device.number({ name: 'create_hypothesis', args }, below, addComment(other, id()));
    const first = await device.answer(batch);
    const kinds = first.results.map(({ outcome }) => outcome.kind);
    expect(kinds).toEqual(['failed', 'failed', 'applied']);
    expect(first.isOutOfOrder).toBe(false);
    const again = await device.answer(batch);
    expect(again.results.map(({ outcome }) => outcome.kind)).toEqual(kinds);
    expect(await countComments(other.incidentId)).toBe(1);
    await server.db.script('alter table hypotheses disable trigger fail_at_will');
    const [root, child] = batch;
    if (root === undefined || child === undefined) throw new Error('no commands');
    const renumbered = device.number(
      { ...root, seq: first.expectedSeq },
      { ...child, seq: first.expectedSeq + 1 },
    );
    const later = await device.answer(renumbered);
    await server.db.script('alter table hypotheses enable trigger fail_at_will');
    expect(later.results.map(({ outcome }) => outcome.kind)).toEqual(['applied', 'applied']);
  });

  test('a sender that hangs up before the answer and sends again has one effect', async () => {
    const ids = await newIncident(device);
    const batch = device.number(...Array.from({ length: 20 }, () => addComment(ids, id())));
    const body = JSON.stringify({ deviceId: device.deviceId, commands: batch });
    const cookie = [...device.browser.cookies].map(([key, value]) => `${key}=${value}`).join('; ');
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie };
    for (const waitMs of [0, 5, 20, 60]) {
      const sent = request(`${server.url}/api/sync/commands`, { method: 'POST', headers });
      const closed = new Promise<void>((resolve) => {
        sent.on('close', () => resolve());
        sent.on('error', () => resolve());
      });
      sent.end(body);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      sent.destroy();
      await closed;
    }
    const { results } = await device.answer(batch);
    expect(results.map(({ outcome }) => outcome.kind)).toEqual(batch.map(() => 'applied'));
    expect(await countComments(ids.incidentId)).toBe(20);
  });

  test('two hundred commands in order are two hundred effects', async () => {
    const ids = await newIncident(device);
    const drafts = Array.from({ length: 200 }, (_, index) => addComment(ids, id(), `${index}`));
    for (let start = 0; start < drafts.length; start += 50)
      await device.apply(...drafts.slice(start, start + 50));
    expect(await countComments(ids.incidentId)).toBe(200);
    const twin = device.twin();
    const tooMany = twin.number(...Array.from({ length: 51 }, () => addComment(ids, id())));
    expect((await twin.post(tooMany)).status).toBe(400);
  });

  describe('in any interleaving', () => {
    type Script = { incidentId: string; commands: CommandEnvelope[] };

    /** An incident with a title that is edited, comments and hypotheses that hang below each other. */
    function script(sender: CommandDevice): Script {
      const ids = { incidentId: id(), rootId: id() };
      const [first, second] = [id(), id()];
      const commands = sender.number(
        createIncident(ids, 'a'),
        editIncident(ids.incidentId, { title: 'b' }, { title: 'a' }),
        addHypothesis(ids, first),
        addHypothesis({ ...ids, rootId: first }, second),
        editIncident(ids.incidentId, { title: 'c' }, { title: 'a' }),
        addComment(ids, id(), 'x'),
        { name: 'delete_hypothesis', args: { id: first, incidentId: ids.incidentId } },
        addComment(ids, id(), 'y'),
      );
      return { incidentId: ids.incidentId, commands };
    }

    async function finalRows(incidentId: string): Promise<unknown> {
      const read = (sql: string) => server.db.rows(z.unknown(), sql, [incidentId]);
      return {
        incident: await read('select title, status from incidents where id = $1'),
        tree: await read(
          `select h.title, h.type, p.type as below from hypotheses h left join hypotheses p on p.id = h.parent_id
            where h.incident_id = $1 order by h.type, h.title`,
        ),
        comments: await read('select comment from comments where incident_id = $1 order by comment'),
        told: await read(
          'select type, count(*) from incident_histories where incident_id = $1 group by type order by type',
        ),
      };
    }

    test('duplicated, repeated and cut batches end in the same rows as once in order', async () => {
      const first = device.twin();
      const once = script(first);
      const { results } = await first.answer(once.commands);
      expect(results.map(({ outcome }) => outcome.kind).join(' ')).toBe(
        'applied applied applied applied refused applied applied applied',
      );
      const expected = await finalRows(once.incidentId);
      const slices = fc.array(fc.tuple(fc.nat(7), fc.integer({ min: 1, max: 8 })), { maxLength: 8 });
      const property = fc.asyncProperty(slices, async (cuts) => {
        const sender = device.twin();
        const { incidentId, commands } = script(sender);
        const sent = cuts.map(([from, length]) => sender.post(commands.slice(from, from + length)));
        await Promise.all(sent);
        await sender.answer(commands);
        expect(await finalRows(incidentId)).toEqual(expected);
      });
      await fc.assert(property, { numRuns: name === 'pglite' ? 12 : 20, seed: 7 });
    });
  });
});
