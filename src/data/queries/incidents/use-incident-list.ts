import type { IncidentRow } from '../../../contract/collection-rows.ts';
import type { IncidentsQuestion, LivePatch } from '../../../contract/live-query.ts';
import { dataClient } from '../../client/data-client.ts';
import {
  cachedAs,
  NO_ANSWER,
  patched,
  type Differences,
  type LiveAnswer,
} from '../../client/live-query-client.ts';
import { useAskableDifferences } from '../use-differences.ts';

const INCIDENTS: Differences<IncidentsQuestion, LiveAnswer, LivePatch> = {
  open: (question, listener) => dataClient().askLive('live-incidents', question, listener),
  empty: NO_ANSWER,
  patched,
  cached: cachedAs('live-incidents'),
};

/** Incidents with who responds to them, and `ask` for their search. Begins as it was last. */
export function useAskableIncidents(question: IncidentsQuestion): {
  answer: LiveAnswer<IncidentRow>;
  ask: (question: IncidentsQuestion) => void;
} {
  const { state, ask } = useAskableDifferences(question, INCIDENTS);
  // The worker made sure of the rows' columns.
  return { answer: state as LiveAnswer<IncidentRow>, ask };
}
