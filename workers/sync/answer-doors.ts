/**
 * The part of the sync worker's door that answers standing questions: each is put to whoever is signed in, and
 * again when that changes.
 */
import { changesQuestionSchema } from '../../src/contract/http/config-changes.ts';
import { catalogAnswerSchema } from '../../src/contract/http/config-item.ts';
import { catalogSummaryQuestionSchema } from '../../src/contract/http/catalog-summary.ts';
import { tableQuestionSchema } from '../../src/contract/http/table-views.ts';
import type { TryDone } from '../../src/contract/http/try-done.ts';
import { historyQuerySchema } from '../../src/contract/worker.ts';
import type { Stop, SyncApi } from './api.ts';
import type { HttpClient } from './network/http-client.ts';
import { settle } from './actions/settle.ts';
import { StandingQuestions } from './standing-questions.ts';
import type { StatusBoard } from './status/status-board.ts';
import { tryDone } from './actions/try-done.ts';
import type { UserSync } from './user-sync.ts';

export abstract class AnswerDoors {
  protected readonly questions = new StandingQuestions<UserSync>();
  protected abstract readonly http: HttpClient;
  protected abstract readonly board: StatusBoard;

  async subscribeHistory(...[query, listener]: Parameters<SyncApi['subscribeHistory']>): Promise<Stop> {
    const parsed = historyQuerySchema.parse(query);
    return this.questions.ask((user) => user.answers.history(parsed, listener));
  }

  async subscribeGraph(...[checkId, range, listener]: Parameters<SyncApi['subscribeGraph']>): Promise<Stop> {
    return this.questions.ask((user) => user.answers.graph({ checkId, range }, listener));
  }

  async subscribeCheckDetail(
    ...[checkId, listener]: Parameters<SyncApi['subscribeCheckDetail']>
  ): Promise<Stop> {
    return this.questions.ask((user) => user.answers.checkDetail(checkId, listener));
  }

  async subscribeCanary(...[canaryId, listener]: Parameters<SyncApi['subscribeCanary']>): Promise<Stop> {
    return this.questions.ask((user) => user.answers.canary(canaryId, listener));
  }

  async subscribeRelated(...[kind, id, listener]: Parameters<SyncApi['subscribeRelated']>): Promise<Stop> {
    return this.questions.ask((user) => user.answers.related({ kind, id }, listener));
  }

  async subscribeTable(...[question, listener]: Parameters<SyncApi['subscribeTable']>): Promise<Stop> {
    const parsed = tableQuestionSchema.parse(question);
    return this.questions.ask((user) => user.answers.table(parsed, listener));
  }

  async subscribeCatalog(...[kind, id, listener]: Parameters<SyncApi['subscribeCatalog']>): Promise<Stop> {
    const known = catalogAnswerSchema.parse(kind);
    return this.questions.ask((user) => user.answers.catalog(known, id, listener));
  }

  async subscribeChanges(...[question, listener]: Parameters<SyncApi['subscribeChanges']>): Promise<Stop> {
    const parsed = changesQuestionSchema.parse(question);
    return this.questions.ask((user) => user.answers.changes(parsed, listener));
  }

  async subscribeSpecSchema(...[file, listener]: Parameters<SyncApi['subscribeSpecSchema']>): Promise<Stop> {
    return this.questions.ask((user) => user.answers.specSchema(file, listener));
  }

  tryDone(question: TryDone): ReturnType<SyncApi['tryDone']> {
    return settle(() => tryDone({ http: this.http, board: this.board }, question));
  }

  async subscribeCatalogSummary(
    ...[question, listener]: Parameters<SyncApi['subscribeCatalogSummary']>
  ): Promise<Stop> {
    const parsed = catalogSummaryQuestionSchema.parse(question);
    return this.questions.ask((user) => user.answers.catalogSummary(parsed, listener));
  }
}
