import { playbookSpecViewSchema } from '../../../../src/contract/http/playbooks/playbooks.ts';
import { PLAYBOOK_QUERIES } from '../../../../src/contract/queries/playbook-queries.ts';
import { secretNames, withoutSecrets } from '../../../../src/domain/playbook/secret-parameters.ts';
import { isRecord, recordOf } from '../../../../src/lib/is-record.ts';
import { rowById } from '../../network/data-api.ts';
import { handleCached } from '../../subscriptions/query-handler.ts';

const RUN =
  '*,created_by(id,name,avatar),playbooks(id,name,title,spec,icon),component:components(id,name,icon),config:config_items(id,name,type,config_class),check:checks(id,name,icon)';
const STEPS = 'id,name,status,start_time,end_time,scheduled_time,agent_id';

/** What was typed as a password stays off the screen and off the device, whatever the backend says. */
function withoutPasswords(row: unknown): unknown {
  if (!isRecord(row) || !isRecord(row['parameters'])) return row;
  const spec = playbookSpecViewSchema.safeParse(row['spec'] ?? recordOf(row['playbooks'])['spec']).data;
  return { ...row, parameters: withoutSecrets(row['parameters'], secretNames(spec?.parameters ?? [])) };
}

export const query = handleCached(PLAYBOOK_QUERIES['playbook-run'], {
  async fetch({ api }, { runId }, signal) {
    // One after the other: a run that is over is not asked for again, so its steps must be as they were then, or later.
    const run = await rowById(api, { id: runId, table: 'playbook_runs', select: RUN, signal });
    const steps = await api.page({
      table: 'playbook_run_actions',
      select: STEPS,
      where: [{ column: 'playbook_run_id', operator: 'eq', value: runId }],
      order: [{ column: 'start_time' }],
      signal,
    });
    return { run: withoutPasswords(run), steps: steps.rows };
  },
});
