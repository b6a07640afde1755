/** Runs that wait for approval: who may give it, what counts, and what happens at the same time (schema §7.4). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../server/platform/db/database.ts';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { addPlaybook, playbookSetting, readRun, runWhen } from './support/playbook-setting.ts';
import type { PlaybookSetting } from './support/playbook-setting.ts';

const say = [{ name: 'say', exec: { script: 'echo approved' } }];
type Member = Awaited<ReturnType<PlaybookSetting['signIn']>>;

forEachDatabase((kind, open) => {
  describe(`approvals on ${kind}`, () => {
    let db: Database;
    let setting: PlaybookSetting;
    let ann: Member;
    let bob: Member;
    beforeAll(async () => {
      db = await open();
      setting = await playbookSetting(db);
      ann = await setting.signIn('editor');
      bob = await setting.signIn('editor');
    });
    afterAll(() => setting.server.stop());

    let teams = 0;
    async function teamOf(...members: Member[]): Promise<string> {
      teams += 1;
      const name = `approvers ${teams}`;
      const id = z
        .string()
        .parse(
          await db.text(`insert into teams (name, created_by) values ($1, $2) returning id::text`, [
            name,
            ann.id,
          ]),
        );
      for (const { id: person } of members)
        await db.run('insert into team_members (team_id, person_id) values ($1, $2)', [id, person]);
      return name;
    }
    let playbooks = 0;
    async function pending(approval: object): Promise<string> {
      playbooks += 1;
      const spec = { parameters: [{ name: 'word', default: 'x' }], approval, actions: say };
      return setting.press(await addPlaybook(db, `asks ${playbooks}`, spec));
    }
    async function approve(who: Member, run: string): Promise<[number, string]> {
      const answer = await who.browser.post(`/api/playbook/run/approve/${run}`, {});
      const body = z
        .object({ message: z.string().optional(), error: z.string().optional() })
        .parse(await answer.json());
      return [answer.status, body.error ?? body.message ?? ''];
    }
    const people = (...who: Member[]) => ({ approvers: { people: who.map(({ email }) => email) } });
    const approvalsOf = (run: string) =>
      db.text(
        `select coalesce(json_agg(json_build_object('person', person_id, 'isTeam', team_id is not null) order by created_at), '[]')::text
           from playbook_approvals where run_id = $1`,
        [run],
      );

    it('nothing of it runs before a second person approves; then all of it, and who it was is kept', async () => {
      const run = await pending(people(ann));
      await expect.poll(async () => (await readRun(db, run)).status).toBe('pending_approval');
      expect(await approve(setting.editor, run)).toEqual([403, 'you are not an approver of this run']);
      expect(await approve(ann, run)).toEqual([200, 'approved; the run begins']);
      expect(await runWhen(db, run)).toMatchObject({
        status: 'completed',
        actions: [{ result: { stdout: 'approved' } }],
      });
      expect(JSON.parse((await approvalsOf(run)) ?? '')).toEqual([{ person: ann.id, isTeam: false }]);
    });

    it('whoever asks for it and may approve it has done so', async () => {
      const id = await addPlaybook(db, 'own', { approval: people(setting.editor), actions: say });
      expect((await runWhen(db, await setting.press(id))).status).toBe('completed');
    });

    it('all: every listed person and team, each by somebody else', async () => {
      const team = await teamOf(ann, bob);
      const run = await pending({ type: 'all', approvers: { people: [ann.email], teams: [team] } });
      expect(await approve(ann, run)).toEqual([200, 'approved; others are still to approve']);
      expect(await approve(ann, run)).toEqual([
        200,
        'your approval counts already; others are still to approve',
      ]);
      expect((await readRun(db, run)).status).toBe('pending_approval');
      expect(await approve(bob, run)).toEqual([200, 'approved; the run begins']);
      expect((await runWhen(db, run)).status).toBe('completed');
      // Who approved, and in whose place.
      expect(JSON.parse((await approvalsOf(run)) ?? '')).toEqual([
        { person: ann.id, isTeam: false },
        { person: bob.id, isTeam: true },
      ]);
    });

    it('any: one of those listed is enough, whoever it is, and it is noted in whose place', async () => {
      const team = await teamOf(bob);
      const run = await pending({ type: 'any', approvers: { people: [ann.email], teams: [team] } });
      expect(await approve(bob, run)).toEqual([200, 'approved; the run begins']);
      expect((await runWhen(db, run)).status).toBe('completed');
      expect((await approve(ann, run))[0]).toBe(409);
      expect(JSON.parse((await approvalsOf(run)) ?? '')).toEqual([{ person: bob.id, isTeam: true }]);
    });

    it('whoever has left the team, before or after approving, counts no more', async () => {
      const team = await teamOf(ann);
      const run = await pending({ type: 'all', approvers: { people: [bob.email], teams: [team] } });
      expect((await approve(ann, run))[0]).toBe(200);
      await db.run('delete from team_members where person_id = $1', [ann.id]);
      expect(await approve(bob, run)).toEqual([200, 'approved; others are still to approve']);
      expect(await approve(ann, run)).toEqual([403, 'you are not an approver of this run']);
      expect((await readRun(db, run)).status).toBe('pending_approval');
    });

    it('two approvers at once: the run begins once', async () => {
      const run = await pending(people(ann, bob));
      const answers = await Promise.all([approve(ann, run), approve(bob, run)]);
      expect(new Set(answers.map(([status]) => status))).toEqual(new Set([200, 409]));
      const ended = await runWhen(db, run);
      expect([ended.status, ended.actions.length]).toEqual(['completed', 1]);
    });

    it('a run that was cancelled stays so, whoever approves it afterwards', async () => {
      const run = await pending(people(ann));
      expect((await setting.editor.browser.post(`/api/playbook/run/${run}/cancel`, {})).status).toBe(200);
      expect(await approve(ann, run)).toEqual([409, 'the run was cancelled']);
      expect(await readRun(db, run)).toMatchObject({ status: 'cancelled', actions: [] });
    });

    it('the run keeps the rule and the actions that it was asked with', async () => {
      const run = await pending(people(ann));
      const spec = { approval: people(bob), actions: [{ name: 'say', exec: { script: 'echo edited' } }] };
      await db.run(
        'update playbooks set spec = $2 where id = (select playbook_id from playbook_runs where id = $1)',
        [run, JSON.stringify(spec)],
      );
      expect((await approve(bob, run))[0]).toBe(403);
      await approve(ann, run);
      expect((await runWhen(db, run)).actions).toMatchObject([{ result: { stdout: 'approved' } }]);
    });

    it('approving is for those who may, and for runs that ask for it', async () => {
      const viewer = await setting.signIn('viewer');
      const run = await pending(people(viewer));
      expect((await approve(viewer, run))[0]).toBe(403);
      const plain = await setting.press(await addPlaybook(db, 'plain', { actions: say }));
      expect(await approve(ann, plain)).toEqual([400, 'this run needs no approval']);
      expect((await approve(ann, '0190f0e0-0000-7000-8000-000000000000'))[0]).toBe(404);
      expect((await approve(ann, 'nonsense'))[0]).toBe(400);
    });

    it('nobody writes an approval or the status of a run past the server', async () => {
      const run = await pending(people(ann));
      const forged = { run_id: run, person_id: ann.id };
      const change = ['PATCH', 'PUT'].map((method) => ({ 'x-http-method-override': method }));
      const answers = await Promise.all([
        setting.editor.browser.post('/api/db/playbook_approvals', forged),
        ...change.map((headers) =>
          setting.editor.browser.post(`/api/db/playbook_runs?id=eq.${run}`, { status: 'scheduled' }, headers),
        ),
      ]);
      for (const answer of answers) expect(answer.status).toBe(403);
      expect((await readRun(db, run)).status).toBe('pending_approval');
    });

    it('who is asked and who has approved is told; devices are told by id', async () => {
      const team = await teamOf(bob);
      const run = await pending({ type: 'all', approvers: { people: [ann.email], teams: [team] } });
      await approve(ann, run);
      const look = async (who: Member) => (await who.browser.get(`/api/playbook/run/${run}/approval`)).json();
      expect(await look(bob)).toMatchObject({
        type: 'all',
        places: [
          { kind: 'person', name: ann.email, approved_by: expect.any(String) as string },
          { kind: 'team', name: team, approved_by: null },
        ],
        may_approve: true,
      });
      expect(await look(ann)).toMatchObject({ may_approve: false });
      const feed = await db.text('select approval::text from feed_playbook_runs where id = $1', [run]);
      expect(JSON.parse(feed ?? '')).toEqual({
        approvers: [ann.id, bob.id].toSorted(),
        approved_by: [ann.id],
      });
    });
  });
});
