/** What is not done, and why: every reason of the closed list, on both databases, over real HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { startTestServer } from '../security/support/test-server.ts';
import type { TestServer } from '../security/support/test-server.ts';
import { id, openDevice } from './support/command-device.ts';
import type { CommandDevice, Draft } from './support/command-device.ts';
import { seedCheck } from './support/check-seed-query.ts';
import {
  addComment,
  addEvidence,
  addHypothesis,
  addPerson,
  createIncident,
  editIncident,
  newIncident,
} from './support/incident-drafts.ts';

const refused = (code: string) => expect.objectContaining({ kind: 'refused', code }) as unknown;

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let ann: CommandDevice;
  let ben: CommandDevice;
  const runs: string[] = [];

  beforeAll(async () => {
    server = await startTestServer(await openDatabase(), { onRun: (checkId) => void runs.push(checkId) });
    ann = await openDevice(server, 'responder');
    ben = await openDevice(server, 'commander');
  });
  afterAll(() => server.stop());

  const setStatus = (incidentId: string, from: string, to: string): Draft => ({
    name: 'set_incident_status',
    args: { id: incidentId, from, to },
  });
  async function titleOf(incidentId: string): Promise<unknown> {
    return server.db.text('select title from incidents where id = $1', [incidentId]);
  }

  test('two people edit different fields: both are there', async () => {
    const { incidentId } = await newIncident(ann);
    const saw = { title: 'Shop is slow', severity: 'low' };
    await ann.apply(editIncident(incidentId, { title: 'Shop is down' }, saw));
    await ben.apply(editIncident(incidentId, { severity: 'high' }, saw));
    const [row] = await server.db.rows(z.unknown(), 'select title, severity from incidents where id = $1', [
      incidentId,
    ]);
    expect(row).toEqual({ title: 'Shop is down', severity: 'high' });
  });

  test('the same field changed by both: the first stays, the second is refused with it and who it was', async () => {
    const { incidentId } = await newIncident(ann);
    const saw = { title: 'Shop is slow', severity: 'low' };
    await ann.apply(editIncident(incidentId, { title: 'Shop is down' }, saw));
    const outcome = await ben.send(
      editIncident(incidentId, { title: 'Shop is fine', severity: 'high' }, saw),
    );
    expect(outcome).toEqual({
      kind: 'refused',
      code: 'precondition_failed',
      message: expect.stringMatching(/^Changed meanwhile by Test User \d+: title$/) as string,
      current: { title: 'Shop is down' },
    });
    expect(await titleOf(incidentId)).toBe('Shop is down');
    const same = editIncident(incidentId, { title: 'Shop is down' }, saw);
    expect((await ben.send(same)).kind).toBe('applied');
  });

  test('an edit that does not say what it was made from overwrites nothing', async () => {
    const { incidentId } = await newIncident(ann);
    const blind = { ...editIncident(incidentId, { title: 'Mine' }, {}), basedOn: null };
    expect(await ann.send(blind)).toEqual(refused('precondition_failed'));
    expect(await titleOf(incidentId)).toBe('Shop is slow');
  });

  test('a status is set only from the one that was seen, and only where it may go', async () => {
    const { incidentId } = await newIncident(ann);
    await ann.apply(setStatus(incidentId, 'open', 'mitigated'));
    const late = await ben.send(setStatus(incidentId, 'open', 'investigating'));
    expect(late).toEqual({
      kind: 'refused',
      code: 'precondition_failed',
      message: expect.stringMatching(/^The status is mitigated by now, set by Test User \d+$/) as string,
      current: { status: 'mitigated' },
    });
    expect(await ben.send(setStatus(incidentId, 'mitigated', 'investigating'))).toMatchObject({
      code: 'precondition_failed',
      message: 'An incident that is mitigated cannot become investigating',
    });
    expect((await ben.send(setStatus(incidentId, 'open', 'mitigated'))).kind).toBe('applied');
  });

  test('what was deleted for good cannot be edited or built upon; deleting it again is fine', async () => {
    const ids = await newIncident(ann);
    const { incidentId } = ids;
    const [hypothesisId, evidenceId, commentId] = [id(), id(), id()];
    const below = { incidentId, rootId: hypothesisId };
    await ann.apply(
      addHypothesis(ids, hypothesisId),
      addEvidence(ids, evidenceId),
      addComment(ids, commentId),
      { name: 'delete_evidence', args: { id: evidenceId, incidentId } },
      { name: 'delete_hypothesis', args: { id: hypothesisId, incidentId } },
      { name: 'delete_comment', args: { id: commentId, incidentId } },
      { name: 'delete_comment', args: { id: commentId, incidentId } },
    );
    const noIncident = { incidentId: id(), rootId: id() };
    const late: Draft[] = [
      { name: 'edit_evidence', args: { id: evidenceId, incidentId, changes: { done: true } }, basedOn: {} },
      {
        name: 'edit_hypothesis',
        args: { id: hypothesisId, incidentId, changes: { title: 'x' } },
        basedOn: {},
      },
      { name: 'edit_comment', args: { id: commentId, incidentId, comment: 'x' }, basedOn: {} },
      addHypothesis(below, id()),
      addEvidence(below, id()),
      addComment(noIncident, id()),
      addPerson(noIncident, id(), ann.personId),
      addPerson(ids, id(), id()),
      editIncident(noIncident.incidentId, { title: 'x' }, {}),
      setStatus(noIncident.incidentId, 'open', 'closed'),
    ];
    for (const draft of late)
      expect([draft.name, await ben.send(draft)]).toEqual([draft.name, refused('gone')]);
  });

  test('what cannot be understood is refused by name of the field, and the next command goes on', async () => {
    const ids = await newIncident(ann);
    const drafts: Draft[] = [
      { name: 'make_coffee\u0000\ud800', args: {} },
      { name: 'create_incident', args: { id: id(), rootHypothesisId: id(), title: '  ' } },
      { name: 'create_incident', version: 7, args: {} },
      createIncident(ids),
      addComment(ids, id(), 'a\u0000b'),
      addComment(ids, id(), 'a\ud800b'),
      {
        name: 'add_evidence',
        args: { id: id(), incidentId: ids.incidentId, hypothesisId: 'x', type: 'log' },
      },
      addEvidence({ incidentId: (await newIncident(ann)).incidentId, rootId: ids.rootId }, id()),
    ];
    const { results, isOutOfOrder } = await ben.answer(ben.number(...drafts, addComment(ids, id())));
    expect(isOutOfOrder).toBe(false);
    expect(results.slice(0, -1).map((result) => result.outcome)).toEqual(
      drafts.map(() => refused('invalid')),
    );
    expect(results[1]?.outcome).toMatchObject({ message: 'title: Please provide a title' });
    expect(results.at(-1)?.outcome.kind).toBe('applied');
  });

  test('a comment is changed by its author or an administrator only', async () => {
    const ids = await newIncident(ann);
    const { incidentId } = ids;
    const [first, second] = [id(), id()];
    await ann.apply(addComment(ids, first, 'mine'), addComment(ids, second, 'mine'));
    const edit = (commentId: string): Draft => ({
      name: 'edit_comment',
      args: { id: commentId, incidentId, comment: 'yours' },
      basedOn: { comment: 'mine' },
    });
    const remove: Draft = { name: 'delete_comment', args: { id: second, incidentId } };
    expect(await ben.send(edit(first))).toEqual(refused('forbidden'));
    expect(await ben.send(remove)).toEqual(refused('forbidden'));
    const admin = await openDevice(server, 'admin');
    await admin.apply(edit(first), remove);
  });

  test('a hand-over note is changed by its author alone, and never over what another device wrote meanwhile', async () => {
    const noteId = id();
    const save: Draft = {
      name: 'save_shift_note',
      args: { noteId, text: 'Quiet.', shiftFrom: '2026-01-01T00:00:00Z' },
    };
    const edit = (text: string, seen: string): Draft => ({
      name: 'edit_shift_note',
      args: { noteId, text },
      basedOn: { text: seen },
    });
    expect(await ann.send(edit('Loud.', 'Quiet.'))).toEqual(refused('gone'));
    await ann.apply(save, edit('Loud.', 'Quiet.'));
    const admin = await openDevice(server, 'admin');
    for (const other of [ben, admin])
      for (const draft of [save, edit('Mine.', 'Loud.')])
        expect(await other.send(draft)).toEqual(refused('forbidden'));
    expect(await ann.send(edit('Very loud.', 'Quiet.'))).toMatchObject({
      code: 'precondition_failed',
      current: { text: 'Loud.' },
    });
    await ann.apply(edit('Very loud.', 'Loud.'));
  });

  test('a role that was taken away counts from the next command on', async () => {
    const device = await openDevice(server, 'responder');
    const { incidentId } = await newIncident(device);
    await server.db.run(`delete from casbin_rule where v0 = $1`, [device.personId]);
    expect(await device.send(setStatus(incidentId, 'open', 'closed'))).toEqual(refused('forbidden'));
    expect(await device.send(createIncident({ incidentId: id(), rootId: id() }))).toEqual(
      refused('forbidden'),
    );
  });

  test('a run that comes too late, or does not say how long it may wait, never happens', async () => {
    const checkId = await seedCheck(server.db);
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    const run = (expiresAt: string | null): Draft => ({ name: 'run_check', args: { checkId }, expiresAt });
    expect(await ann.send(run(at(-1)))).toEqual(refused('expired'));
    expect(await ann.send(run(null))).toEqual(refused('invalid'));
    expect(await ann.send(run('soon'))).toEqual(refused('invalid'));
    const unknown = { name: 'run_check', args: { checkId: id() }, expiresAt: at(60_000) };
    expect(await ann.send(unknown)).toEqual(refused('gone'));
    expect(runs).not.toContain(checkId);
  });

  test('another person cannot use a device, a command id or a script password', async () => {
    const ids = { incidentId: id(), rootId: id() };
    const [mine] = ann.number(createIncident(ids));
    if (mine === undefined) throw new Error('no command');
    const foreign = await ben.post([{ ...mine, commandId: id() }], ann.deviceId);
    expect(foreign.status).toBe(403);
    expect(
      await server.db.rows(z.unknown(), 'select id from incidents where id = $1', [ids.incidentId]),
    ).toEqual([]);
    const inMyName = { deviceId: id(), userId: ann.personId, commands: [mine] };
    expect((await ben.browser.post('/api/sync/commands', inMyName)).status).toBe(401);
    expect(
      await server.db.rows(z.unknown(), 'select id from incidents where id = $1', [ids.incidentId]),
    ).toEqual([]);
    expect((await ann.answer([mine])).results[0]?.outcome.kind).toBe('applied');
    expect(await ben.send({ ...createIncident(ids), commandId: mine.commandId })).toEqual(
      refused('forbidden'),
    );
    const stranger = { deviceId: id(), commands: [] };
    const noSession = await fetch(`${server.url}/api/sync/commands`, {
      method: 'POST',
      body: JSON.stringify(stranger),
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    });
    expect(noSession.status).toBe(401);
    const crossSite = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    const forged = await ann.browser.post('/api/sync/commands', stranger, crossSite);
    expect(forged.status).toBe(403);
  });
});
