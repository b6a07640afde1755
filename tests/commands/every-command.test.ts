/** Every command does what it says, over real HTTP, on both databases. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { COMMAND_NAMES } from '../../src/contract/commands/all-commands.ts';
import { may } from '../../src/domain/access/matrix.ts';
import { startTestServer } from '../security/support/test-server.ts';
import type { TestServer } from '../security/support/test-server.ts';
import { id, openDevice } from './support/command-device.ts';
import type { CommandDevice, Draft } from './support/command-device.ts';
import { seedCanary, seedCheck, seedScraper } from './support/check-seed-query.ts';
import { addFailedNotification } from './support/notification-seed-query.ts';
import {
  addComment,
  addEvidence,
  addHypothesis,
  addPerson,
  createIncident,
  editIncident,
  newIncident,
} from './support/incident-drafts.ts';

const WRITERS = ['admin', 'editor', 'commander', 'responder'];

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let device: CommandDevice;
  const runs: string[] = [];

  beforeAll(async () => {
    const db = await openDatabase();
    server = await startTestServer(db, { onRun: (checkId) => void runs.push(checkId) });
    device = await openDevice(server, 'responder');
  });
  afterAll(() => server.stop());

  async function row(table: string, rowId: string): Promise<Record<string, unknown> | undefined> {
    const answer = await device.browser.get(`/api/db/${table}?id=eq.${rowId}`);
    expect(answer.status).toBe(200);
    return ((await answer.json()) as Record<string, unknown>[])[0];
  }

  test('create_incident makes the incident and its root hypothesis, both by the sender', async () => {
    const ids = await newIncident(device);
    expect(await row('incidents', ids.incidentId)).toMatchObject({
      incident_id: expect.stringMatching(/^INC-\d+$/) as string,
      title: 'Shop is slow',
      status: 'open',
      severity: 'low',
      created_by: device.personId,
    });
    expect(await row('hypotheses', ids.rootId)).toMatchObject({
      incident_id: ids.incidentId,
      type: 'root',
      status: 'possible',
      created_by: device.personId,
    });
  });

  test('edit_incident changes the fields that it names', async () => {
    const { incidentId } = await newIncident(device);
    const changes = { title: 'Shop is down', commander_id: device.personId };
    await device.apply(editIncident(incidentId, changes, { title: 'Shop is slow', commander_id: null }));
    expect(await row('incidents', incidentId)).toMatchObject({ ...changes, severity: 'low' });
  });

  test('set_incident_status follows the transitions; the table keeps when it ended', async () => {
    const { incidentId } = await newIncident(device);
    const set = (from: string, to: string): Draft => ({
      name: 'set_incident_status',
      args: { id: incidentId, from, to },
    });
    await device.apply(set('open', 'mitigated'), set('mitigated', 'resolved'));
    expect(await row('incidents', incidentId)).toMatchObject({
      status: 'resolved',
      resolved: expect.any(String) as string,
    });
    await device.apply(set('resolved', 'open'), set('resolved', 'open'));
    expect(await row('incidents', incidentId)).toMatchObject({ status: 'open', resolved: null });
  });

  test('hypotheses are made, edited and moved, and deleting one takes what hangs on it and lifts its children', async () => {
    const ids = await newIncident(device);
    const [middleId, leafId, evidenceId, commentId] = [id(), id(), id(), id()];
    const middle = { incidentId: ids.incidentId, rootId: middleId };
    await device.apply(
      addHypothesis(ids, middleId),
      addHypothesis(middle, leafId),
      addEvidence(middle, evidenceId),
      {
        name: 'add_comment',
        args: { id: commentId, incidentId: ids.incidentId, hypothesisId: middleId, comment: 'why?' },
      },
      {
        name: 'edit_hypothesis',
        args: { id: leafId, incidentId: ids.incidentId, changes: { status: 'likely' } },
        basedOn: { status: 'possible' },
      },
    );
    expect(await row('hypotheses', leafId)).toMatchObject({ status: 'likely', parent_id: middleId });
    const below = await device.send({
      name: 'edit_hypothesis',
      args: { id: middleId, incidentId: ids.incidentId, changes: { parent_id: leafId } },
      basedOn: { parent_id: ids.rootId },
    });
    expect(below).toMatchObject({ kind: 'refused', code: 'invalid' });
    await device.apply({ name: 'delete_hypothesis', args: { id: middleId, incidentId: ids.incidentId } });
    expect(await row('hypotheses', middleId)).toBeUndefined();
    expect(await row('evidences', evidenceId)).toBeUndefined();
    expect(await row('comments', commentId)).toBeUndefined();
    expect(await row('hypotheses', leafId)).toMatchObject({ parent_id: ids.rootId });
  });

  test('the solution of a deleted factor is a factor below the root: the chain has no gap', async () => {
    const ids = await newIncident(device);
    const [factorId, solutionId] = [id(), id()];
    const factor = { incidentId: ids.incidentId, rootId: factorId };
    const solution = addHypothesis(factor, solutionId);
    await device.apply(addHypothesis(ids, factorId), {
      ...solution,
      args: { ...(solution.args as object), type: 'solution' },
    });
    expect(await row('hypotheses', solutionId)).toMatchObject({ type: 'solution', parent_id: factorId });
    // Nor can one be made, moved or renamed there, whatever the way in.
    const tooHigh = addHypothesis(ids, id());
    const refused = { kind: 'refused', code: 'invalid' };
    expect(
      await device.send({ ...tooHigh, args: { ...(tooHigh.args as object), type: 'solution' } }),
    ).toMatchObject(refused);
    const edit = (hypothesis: string, changes: Record<string, unknown>, basedOn: Record<string, unknown>) =>
      device.send({
        name: 'edit_hypothesis',
        args: { id: hypothesis, incidentId: ids.incidentId, changes },
        basedOn,
      });
    expect(await edit(solutionId, { parent_id: ids.rootId }, { parent_id: factorId })).toMatchObject(refused);
    expect(await edit(factorId, { type: 'solution' }, { type: 'factor' })).toMatchObject(refused);
    expect(await edit(factorId, { type: 'root' }, { type: 'factor' })).toMatchObject(refused);
    await device.apply({ name: 'delete_hypothesis', args: { id: factorId, incidentId: ids.incidentId } });
    expect(await row('hypotheses', solutionId)).toMatchObject({ type: 'factor', parent_id: ids.rootId });
  });

  test('evidence is added, edited and deleted for good', async () => {
    const ids = await newIncident(device);
    const evidenceId = id();
    const { incidentId } = ids;
    await device.apply(addEvidence(ids, evidenceId), {
      name: 'edit_evidence',
      args: { id: evidenceId, incidentId, changes: { done: true, evidence: { lines: [1, 2] } } },
      basedOn: { done: null, evidence: null },
    });
    expect(await row('evidences', evidenceId)).toMatchObject({
      done: true,
      evidence: { lines: [1, 2] },
      description: 'seen',
      created_by: device.personId,
    });
    await device.apply({ name: 'delete_evidence', args: { id: evidenceId, incidentId } });
    expect(await row('evidences', evidenceId)).toBeUndefined();
  });

  test('comments are added, edited and deleted by their author', async () => {
    const ids = await newIncident(device);
    const [commentId, { incidentId }] = [id(), ids];
    await device.apply(addComment(ids, commentId, 'first'), {
      name: 'edit_comment',
      args: { id: commentId, incidentId, comment: 'second' },
      basedOn: { comment: 'first' },
    });
    expect(await row('comments', commentId)).toMatchObject({
      comment: 'second',
      created_by: device.personId,
    });
    await device.apply({ name: 'delete_comment', args: { id: commentId, incidentId } });
    expect(await row('comments', commentId)).toBeUndefined();
  });

  test('responders are a set: the same person added twice, also at once, is one; taken off, they may come again', async () => {
    const ids = await newIncident(device);
    const twin = device.twin();
    const [firstId, thirdId] = [id(), id()];
    await device.apply(addPerson(ids, firstId, device.personId));
    await Promise.all([
      device.apply(addPerson(ids, id(), device.personId)),
      twin.apply(addPerson(ids, id(), device.personId)),
    ]);
    const live = async () => {
      const search = `incident_id=eq.${ids.incidentId}&deleted_at=is.null&select=id`;
      return (await (await device.browser.get(`/api/db/responders?${search}`)).json()) as unknown[];
    };
    expect(await live()).toEqual([{ id: firstId }]);
    await device.apply({
      name: 'remove_responder',
      args: { id: firstId, incidentId: ids.incidentId },
    });
    expect(await live()).toEqual([]);
    expect(await row('responders', firstId)).toMatchObject({ deleted_at: expect.any(String) as string });
    await device.apply(addPerson(ids, thirdId, device.personId));
    expect(await live()).toEqual([{ id: thirdId }]);
  });

  test('mark_incident_read moves forward only, never beyond now, and each person has their own', async () => {
    const { incidentId } = await newIncident(device);
    const mark = (readAt: string, rowId = id()) => ({
      name: 'mark_incident_read',
      args: { id: rowId, incidentId, readAt },
    });
    const marks = () =>
      server.db.rows(
        z.custom<{ id: string; person_id: string; read_at: string }>(),
        'select id, person_id, read_at from incident_reads where incident_id = $1 order by read_at',
        [incidentId],
      );
    const firstId = id();
    await device.apply(mark('2026-01-02T00:00:00Z', firstId), mark('2026-01-01T00:00:00Z'));
    expect(await marks()).toMatchObject([{ id: firstId, person_id: device.personId }]);
    expect(Date.parse((await marks())[0]?.read_at ?? '')).toBe(Date.parse('2026-01-02T00:00:00Z'));
    const viewer = await openDevice(server, 'viewer');
    // An id that is in use: the mark is another person's all the same.
    await viewer.apply(mark('2999-01-01T00:00:00Z', firstId));
    const [, second] = await marks();
    expect(second?.person_id).toBe(viewer.personId);
    expect(Date.parse(second?.read_at ?? '')).toBeLessThanOrEqual(Date.now() + 1000);
    await device.apply({
      name: 'mark_incident_read',
      args: { ...mark('2026-01-02T00:00:00Z').args, incidentId: id() },
    });
    expect(await marks()).toHaveLength(2);
  });

  test('run_check runs the check once after the answer, however often it is sent', async () => {
    const checkId = await seedCheck(server.db);
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const batch = device.number({ name: 'run_check', args: { checkId }, expiresAt });
    const answers = await Promise.all([device.answer(batch), device.answer(batch), device.answer(batch)]);
    for (const { results } of answers) expect(results[0]?.outcome.kind).toBe('applied');
    await expect.poll(() => runs.filter((run) => run === checkId).length).toBe(1);
    await device.answer(batch);
    expect(runs.filter((run) => run === checkId)).toHaveLength(1);
  });

  test('an answer says where its change is in the log, and the log has it there', async () => {
    const before = (await (await device.browser.get('/api/sync/changes')).json()) as { cursor: string };
    const ids = { incidentId: id(), rootId: id() };
    const outcome = await device.send(createIncident(ids));
    expect(outcome.kind).toBe('applied');
    const answer = await device.browser.get(`/api/sync/changes?cursor=${before.cursor}`);
    const page = (await answer.json()) as { cursor: string; changes: { id: string }[] };
    expect(page.changes.map((change) => change.id)).toEqual(
      expect.arrayContaining([ids.incidentId, ids.rootId]),
    );
    expect(outcome).toEqual({ kind: 'applied', position: page.cursor });
  });

  describe('each role', () => {
    async function draftsFor(owner: CommandDevice): Promise<Map<string, Draft>> {
      const ids = await newIncident(device);
      const { incidentId } = ids;
      const [hypothesisId, evidenceId, responderId] = [id(), id(), id()];
      await device.apply(
        addHypothesis(ids, hypothesisId),
        addEvidence(ids, evidenceId),
        addPerson(ids, responderId, owner.personId),
      );
      const commentId = id();
      const sql = `insert into comments (id, comment, incident_id, created_by) values ($1, 'mine', $2, $3)`;
      await server.db.run(sql, [commentId, incidentId, owner.personId]);
      const noteId = id();
      const drafts: Draft[] = [
        {
          name: 'run_check',
          args: { checkId: await seedCheck(server.db) },
          expiresAt: new Date(Date.now() + 100_000).toISOString(),
        },
        createIncident({ incidentId: id(), rootId: id() }),
        editIncident(incidentId, { title: 'New' }, { title: 'Shop is slow' }),
        { name: 'set_incident_status', args: { id: incidentId, from: 'open', to: 'mitigated' } },
        addHypothesis(ids, id()),
        {
          name: 'edit_hypothesis',
          args: { id: hypothesisId, incidentId, changes: { title: 'B' } },
          basedOn: { title: 'The cache is cold' },
        },
        { name: 'delete_hypothesis', args: { id: hypothesisId, incidentId } },
        addEvidence(ids, id()),
        {
          name: 'edit_evidence',
          args: { id: evidenceId, incidentId, changes: { done: true } },
          basedOn: { done: null },
        },
        { name: 'delete_evidence', args: { id: evidenceId, incidentId } },
        { name: 'evaluate_done', args: { incidentId } },
        addComment(ids, id()),
        {
          name: 'edit_comment',
          args: { id: commentId, incidentId, comment: 'B' },
          basedOn: { comment: 'mine' },
        },
        { name: 'delete_comment', args: { id: commentId, incidentId } },
        addPerson(ids, id(), owner.personId),
        { name: 'retry_responder', args: { id: responderId, incidentId } },
        {
          name: 'set_responder_progress',
          args: { id: responderId, incidentId, step: 'acknowledged', isSet: true },
        },
        { name: 'remove_responder', args: { id: responderId, incidentId } },
        { name: 'mark_incident_read', args: { id: id(), incidentId, readAt: '2026-01-01T00:00:00Z' } },
        { name: 'acknowledge', args: { id: id(), kind: 'incident', resourceId: incidentId } },
        { name: 'end_acknowledgement', args: { id: id(), kind: 'incident', resourceId: incidentId } },
        {
          name: 'create_silence',
          args: {
            silenceId: id(),
            selector: 'a=b',
            from: '2026-01-01T00:00:00Z',
            until: '2999-01-01T00:00:00Z',
          },
        },
        { name: 'retry_notification', args: { historyId: await addFailedNotification(server.db) } },
        {
          name: 'change_thing',
          args: { table: 'canaries', id: await seedCanary(server.db), change: { do: 'pause' } },
        },
        {
          name: 'run_thing',
          args: { table: 'config_scrapers', id: await seedScraper(server.db) },
          expiresAt: new Date(Date.now() + 100_000).toISOString(),
        },
        {
          name: 'save_shift_note',
          args: { noteId, text: 'Quiet.', shiftFrom: '2026-01-01T00:00:00Z' },
        },
        { name: 'edit_shift_note', args: { noteId, text: 'Loud.' }, basedOn: { text: 'Quiet.' } },
      ];
      return new Map(drafts.map((draft) => [draft.name, draft]));
    }

    test.each([...WRITERS, 'viewer', ''])('%s may do exactly what the matrix says', async (role) => {
      const owner = await openDevice(server, ...(role === '' ? [] : [role]));
      const drafts = await draftsFor(owner);
      expect([...drafts.keys()].toSorted()).toEqual([...COMMAND_NAMES].toSorted());
      for (const [name, draft] of drafts) {
        const outcome = await owner.send(draft);
        // Who may read incidents keeps how far they have read.
        const isOfRules = name === 'create_silence' || name === 'retry_notification';
        const isOfThings = name === 'change_thing' || name === 'run_thing';
        const area = isOfRules ? 'notifications' : isOfThings ? 'canaries' : null;
        const isWriter = area === null ? WRITERS.includes(role) : may([role], area, 'write');
        const isAllowed = isWriter || name === 'mark_incident_read';
        const said = outcome.kind === 'refused' ? outcome.code : outcome.kind;
        expect(`${name}: ${said}`).toBe(`${name}: ${isAllowed ? 'applied' : 'forbidden'}`);
      }
    });
  });
});
