/** What must be true after a server came back, read over HTTP as any device would. */
import { changesAnswerSchema } from '../../src/contract/sync.ts';
import type { TestBrowser } from '../security/support/test-browser.ts';
import type { Story } from './kill-device.ts';

export interface Findings {
  /** Acknowledged and not there. */
  lost: string[];
  /** There more than once. */
  doubled: string[];
  /** An incident without its root hypothesis, or the other way round. */
  half: string[];
}

type Row = Record<string, unknown>;

async function rows(browser: TestBrowser, path: string): Promise<Row[]> {
  const answer = await browser.get(path);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  return (await answer.json()) as Row[];
}

function countBy(found: readonly Row[], column: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of found) counts.set(String(row[column]), (counts.get(String(row[column])) ?? 0) + 1);
  return counts;
}

interface Trace {
  what: string;
  count: number;
  atLeast: number;
  atMost: number;
}

function judge(findings: Findings, { what, count, atLeast, atMost }: Trace): void {
  if (count < atLeast) findings.lost.push(`${what}: ${count} of ${atLeast}`);
  if (count > atMost) findings.doubled.push(`${what}: ${count} instead of ${atMost}`);
}

/** Everything acknowledged is there once, nothing twice, nothing by half. */
export async function checkStory(browser: TestBrowser, story: Story): Promise<Findings> {
  const { incidentId, rootId } = story;
  const findings: Findings = { lost: [], doubled: [], half: [] };
  const [incidents, roots, comments, evidences, histories] = await Promise.all([
    rows(browser, `/api/db/incidents?id=eq.${incidentId}&select=id`),
    rows(browser, `/api/db/hypotheses?incident_id=eq.${incidentId}&select=id`),
    rows(browser, `/api/db/comments?incident_id=eq.${incidentId}&select=comment`),
    rows(browser, `/api/db/evidences?hypothesis_id=eq.${rootId}&select=id`),
    rows(browser, `/api/db/incident_histories?incident_id=eq.${incidentId}&select=type`),
  ]);
  const isHalf = incidents.length !== roots.length;
  if (isHalf) findings.half.push(`${incidentId}: ${incidents.length} incidents, ${roots.length} roots`);
  const told = countBy(histories, 'type');
  const commentCounts = countBy(comments, 'comment');
  const evidenceCounts = countBy(evidences, 'id');
  const created = { what: `incident ${incidentId}`, atLeast: story.isCreated ? 1 : 0, atMost: 1 };
  judge(findings, { ...created, count: incidents.length });
  judge(findings, { ...created, count: told.get('incident.created') ?? 0 });
  judge(findings, {
    what: `status of ${incidentId}`,
    count: told.get('incident.status_updated') ?? 0,
    atLeast: story.statusChanges.acknowledged,
    atMost: story.statusChanges.sent,
  });
  for (const [traces, counts] of [
    [story.comments, commentCounts],
    [story.evidences, evidenceCounts],
  ] as const) {
    for (const [what, state] of traces) {
      judge(findings, { what, count: counts.get(what) ?? 0, atLeast: state === 'sent' ? 0 : 1, atMost: 1 });
    }
  }
  return findings;
}

const PAGE = 2000;

/** Follows the change log as a device does and keeps the ids of the live rows. */
export class LogReader {
  readonly ids = new Set<string>();
  private cursor: string | null = null;

  async follow(browser: TestBrowser): Promise<void> {
    for (;;) {
      const from = this.cursor === null ? '' : `&cursor=${this.cursor}`;
      const response = await browser.get(`/api/sync/changes?limit=${PAGE}${from}`);
      const answer = changesAnswerSchema.parse(await response.json());
      if (answer.kind === 'start-over') throw new Error(`the log started over: ${answer.reason}`);
      this.cursor = answer.cursor;
      for (const { collection, id, row } of answer.changes) {
        if (row === null) this.ids.delete(`${collection}:${id}`);
        else this.ids.add(`${collection}:${id}`);
      }
      if (answer.is_caught_up) return;
    }
  }

  /** Rows of the story that are in the database and were never told. */
  async missing(browser: TestBrowser, { incidentId, rootId }: Story): Promise<string[]> {
    const sources: [collection: string, path: string][] = [
      ['incidents', `/api/db/incidents?id=eq.${incidentId}&select=id`],
      ['incident_records', `/api/db/hypotheses?incident_id=eq.${incidentId}&select=id`],
      ['incident_records', `/api/db/comments?incident_id=eq.${incidentId}&select=id`],
      ['incident_records', `/api/db/evidences?hypothesis_id=eq.${rootId}&select=id`],
      ['incident_records', `/api/db/incident_histories?incident_id=eq.${incidentId}&select=id`],
    ];
    const found = await Promise.all(
      sources.map(async ([collection, path]) =>
        (await rows(browser, path)).map((row) => `${collection}:${String(row['id'])}`),
      ),
    );
    return found.flat().filter((key) => !this.ids.has(key));
  }
}
