/**
 * Has this device keep what it takes to read playbooks without a network: which suit a thing, and what their last run
 * wrote. It asks what the pages ask, one after the other, so that the answers are in the device's cache when they do.
 */
import type { PlaybookResource } from '../../contract/http/playbooks/playbooks.ts';
import { dataClient } from '../client/data-client.ts';
import { askOnce, type Asking } from './ask-once.ts';

const MOST_THINGS = 40;
const MOST_PLAYBOOKS = 30;
const MOST_STEPS = 10;

interface LastRuns {
  rows: readonly { id: string }[];
}

/** The newest run of a playbook with all that its steps wrote. */
async function keepLastRun(playbookId: string, asking: Asking): Promise<void> {
  const question = {
    view: 'playbook_runs' as const,
    where: [{ op: 'eq' as const, column: 'playbook_id', value: playbookId }],
    order: [{ column: 'created_at', isDescending: true }],
    offset: 0,
    limit: 1,
  };
  // The view's schema has made sure of the id.
  const found = (await askOnce('table', question, asking)) as LastRuns | null;
  const [run] = found?.rows ?? [];
  if (run === undefined) return;
  const detail = await askOnce('playbook-run', { runId: run.id }, asking);
  for (const { id } of (detail?.steps ?? []).slice(0, MOST_STEPS))
    await askOnce('playbook-step', { stepId: id }, asking);
}

/** See the head of this file. Ends early when the signal aborts. */
export async function keepPlaybooks(
  things: readonly PlaybookResource[],
  signal: AbortSignal,
  client: Asking['client'] = dataClient(),
): Promise<void> {
  const asking: Asking = { client, signal };
  const playbooks = new Set<string>();
  for (const { kind, id } of things.slice(0, MOST_THINGS)) {
    const suitable = await askOnce('resource-playbooks', { kind, id }, asking);
    for (const one of suitable ?? []) playbooks.add(one.id);
  }
  for (const id of [...playbooks].slice(0, MOST_PLAYBOOKS)) await keepLastRun(id, asking);
}
