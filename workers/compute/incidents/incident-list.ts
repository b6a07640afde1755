/**
 * The list of incidents with who responds to them: the list is answered from the incidents alone, and says the teams as
 * soon as the records are there, which are many times as many.
 */
import type { IncidentsQuestion, LivePatch, LiveRow } from '../../../src/contract/live-query.ts';
import type { Entry } from '../../../src/contract/row-index/entry.ts';
import type { LiveQueries } from '../live/live-queries.ts';
import { liveRow } from '../../../src/contract/row-index/live-answer.ts';
import { createLiveQuery, type LiveQuery } from '../live/live-query.ts';
import type { OpenQuery } from '../subscriptions/live-handler.ts';
import { IncidentTeams } from './incident-teams.ts';

/** The listener is called at once with the whole answer. */
export function openIncidentList(
  live: Pick<LiveQueries, 'attend'>,
  asked: IncidentsQuestion,
  listener: (patch: LivePatch) => void,
): OpenQuery<IncidentsQuestion> {
  let query: LiveQuery | null = null;
  const list = live.attend('incidents', {
    hear: (changes) => query?.hear(changes),
    refresh: () => query?.refresh(),
  });
  const records = live.attend('incident_records', {
    hear: (changes) => {
      if (teams.hearRecords(changes)) query?.hear(null);
    },
    refresh: () => {},
  });
  const resources = live.attend('resources', {
    hear: () => {
      teams.hearResources();
      query?.hear(null);
    },
    refresh: () => {},
  });
  const teams = new IncidentTeams(() => ({
    records: records.source.index.table,
    resources: resources.source.index.table,
  }));
  const told = (entries: readonly Entry[]): LiveRow[] => {
    const rows = entries.map(liveRow);
    if (!records.source.isLoaded() || !resources.source.isLoaded()) return rows;
    const known = teams.teamsOf(rows.map(({ id }) => id));
    return rows.map((row) => ({ ...row, team: known.get(row.id) ?? { total: 0, who: [] } }));
  };
  const source = { ...list.source, told };
  const questionOf = (question: IncidentsQuestion) => ({ ...question, collection: 'incidents' as const });
  const opened = createLiveQuery({ question: questionOf(asked), source }, listener);
  query = opened;
  return {
    update: (next) => opened.setQuestion(questionOf(next), source),
    close: () => {
      for (const { leave } of [list, records, resources]) leave();
    },
  };
}
