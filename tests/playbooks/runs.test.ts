/** Runs of playbooks from the press of Run to their end, on both databases (schema §7.4). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../server/platform/db/database.ts';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { addPlaybook, playbookSetting, runWhen } from './support/playbook-setting.ts';
import type { PlaybookSetting } from './support/playbook-setting.ts';

forEachDatabase((kind, open) => {
  describe(`runs on ${kind}`, () => {
    let db: Database;
    let setting: PlaybookSetting;
    beforeAll(async () => {
      db = await open();
      setting = await playbookSetting(db);
    });
    afterAll(async () => {
      await setting.server.stop();
    });

    it('an exec action runs and its result is in its row', async () => {
      const id = await addPlaybook(db, 'echo', {
        actions: [{ name: 'say', exec: { script: 'echo hello' } }],
      });
      const run = await runWhen(db, await setting.press(id));
      expect(run).toMatchObject({
        status: 'completed',
        error: null,
        actions: [{ name: 'say', status: 'completed', result: { stdout: 'hello', exitCode: 0 } }],
      });
      const output = await setting.output(run.id);
      expect(output).toEqual({
        pieces: [{ action_id: run.actions[0]?.id, stream: 'stdout', content: 'hello\n' }],
        next: expect.any(Number) as number,
        is_over: true,
      });
    });
  });
});
