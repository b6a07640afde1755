import type {
  RelationRow,
  RelationsFrame,
  RelationsPatch,
  RelationsPicture,
  RelationsQuestion,
} from '../../../contract/relations.ts';
import { dataClient } from '../../client/data-client.ts';
import type { Differences } from '../../client/live-query-client.ts';
import { useDifferences } from '../use-differences.ts';

export interface RelationsAnswer {
  /** Null until there is an answer. */
  frame: RelationsFrame | null;
  /** Index of the first of `rows` among all that pass. */
  start: number;
  rows: readonly RelationRow[];
  picture: RelationsPicture | null;
}

const NOTHING_YET: RelationsAnswer = { frame: null, start: 0, rows: [], picture: null };

/** What is known together with a difference to it. */
function patched(known: RelationsAnswer, patch: RelationsPatch): RelationsAnswer {
  return {
    frame: patch.frame ?? known.frame,
    start: patch.rows?.start ?? known.start,
    rows: patch.rows?.rows ?? known.rows,
    picture: patch.picture ?? known.picture,
  };
}

const RELATIONS: Differences<RelationsQuestion, RelationsAnswer, RelationsPatch> = {
  open: (question, listener) => dataClient().askLive('live-relations', question, listener),
  empty: NOTHING_YET,
  patched,
  isOther: (before, next) => before.configId !== next.configId,
};

/**
 * What a config item is related to, live and from this device. A changed question keeps showing the old answer
 * until the new one is there; a question about another item doesn't.
 */
export function useRelations(question: RelationsQuestion): RelationsAnswer {
  return useDifferences(question, RELATIONS);
}
