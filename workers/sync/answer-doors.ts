/** The part of the sync worker's door that answers standing questions about checks and what belongs to them. */
import { tableQuestionSchema } from '../../src/contract/http/table-views.ts';
import { historyQuerySchema } from '../../src/contract/worker.ts';
import type { SyncApi } from './api.ts';
import type { StandingQuestions } from './standing-questions.ts';
import type { UserSync } from './user-sync.ts';

type AnswerDoors = Pick<
  SyncApi,
  | 'subscribeHistory'
  | 'subscribeGraph'
  | 'subscribeCheckDetail'
  | 'subscribeCanary'
  | 'subscribeRelated'
  | 'subscribeTable'
>;

/** Each is put to whoever is signed in, and again when that changes. */
export function answerDoors(questions: StandingQuestions<UserSync>): AnswerDoors {
  return {
    subscribeHistory: async (query, listener) => {
      const parsed = historyQuerySchema.parse(query);
      return questions.ask((user) => user.answers.history(parsed, listener));
    },
    subscribeGraph: async (checkId, range, listener) =>
      questions.ask((user) => user.answers.graph({ checkId, range }, listener)),
    subscribeCheckDetail: async (checkId, listener) =>
      questions.ask((user) => user.answers.checkDetail(checkId, listener)),
    subscribeCanary: async (canaryId, listener) =>
      questions.ask((user) => user.answers.canary(canaryId, listener)),
    subscribeRelated: async (kind, id, listener) =>
      questions.ask((user) => user.answers.related({ kind, id }, listener)),
    subscribeTable: async (question, listener) => {
      const parsed = tableQuestionSchema.parse(question);
      return questions.ask((user) => user.answers.table(parsed, listener));
    },
  };
}
