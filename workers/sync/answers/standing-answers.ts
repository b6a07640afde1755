/** The questions about checks that pages have open: answered from the device, from the server, and again on news. */
import type { CatalogAnswer } from '../../../src/contract/http/config-item.ts';
import type { ChangesPage } from '../../../src/contract/http/config-changes.ts';
import type {
  CatalogSummaryQuestion,
  CatalogSummaryRow,
} from '../../../src/contract/http/catalog-summary.ts';
import type { CollectionName } from '../../../src/contract/collections.ts';
import { TABLE_VIEWS, type TablePage, type TableQuestion } from '../../../src/contract/http/table-views.ts';
import type { HistoryQuery, Kept } from '../../../src/contract/worker.ts';
import type { ChangesQuestion } from '../../../src/domain/catalog/changes-search.ts';
import type { TimeRange } from '../../../src/domain/time/ranges.ts';
import type { Answer, Stop } from '../api.ts';
import type { SyncPlatform } from '../platform.ts';
import { catalogSummarySource } from './catalog-summary-answer.ts';
import {
  canarySource,
  checkDetailSource,
  graphSource,
  historySource,
  relatedSource,
  type AnswerParts,
} from './check-answers.ts';
import { CATALOG_ANSWERS, changesSource } from './catalog-answers.ts';
import { specSchemaSource, tableSource } from './table-answers.ts';
import { answer, type AnswerSource, type StandingAnswer } from './kept-answers.ts';

type Listener<T> = (found: Answer<Kept<T>>) => void;
/** What an answer source answers with. */
type ReturnTypeOf<F extends (...args: never[]) => AnswerSource<unknown>> =
  ReturnType<F> extends AnswerSource<infer T> ? T : never;

export interface StandingAnswersParts {
  platform: SyncPlatform;
  answers: AnswerParts;
  /** Follows a check's runs while somebody looks at it; returns how to stop. */
  watch: (checkId: string) => () => void;
}

export class StandingAnswers {
  private readonly parts: StandingAnswersParts;
  private readonly standing = new Map<StandingAnswer, string | null>();
  private readonly tables = new Map<StandingAnswer, readonly CollectionName[]>();

  constructor(parts: StandingAnswersParts) {
    this.parts = parts;
  }

  history(query: HistoryQuery, listener: Listener<ReturnTypeOf<typeof historySource>>): Stop {
    return this.stand(query.checkId, historySource(this.parts.answers, query), listener);
  }

  graph(
    question: { checkId: string; range: TimeRange },
    listener: Listener<ReturnTypeOf<typeof graphSource>>,
  ): Stop {
    const { checkId, range } = question;
    return this.stand(checkId, graphSource(this.parts.answers, checkId, range), listener);
  }

  checkDetail(checkId: string, listener: Listener<ReturnTypeOf<typeof checkDetailSource>>): Stop {
    return this.stand(checkId, checkDetailSource(this.parts.answers, checkId), listener);
  }

  canary(canaryId: string, listener: Listener<ReturnTypeOf<typeof canarySource>>): Stop {
    return this.stand(null, canarySource(this.parts.answers, canaryId), listener);
  }

  related(
    thing: { kind: 'config' | 'component'; id: string },
    listener: Listener<ReturnTypeOf<typeof relatedSource>>,
  ): Stop {
    return this.stand(null, relatedSource(this.parts.answers, thing.kind, thing.id), listener);
  }

  table(question: TableQuestion, listener: Listener<TablePage>): Stop {
    return this.follow(
      TABLE_VIEWS[question.view].follows,
      tableSource(this.parts.answers, question),
      listener,
    );
  }

  /** Something of the catalog by its id; asked again when it may have been changed from here. */
  catalog(kind: CatalogAnswer, id: string, listener: Listener<unknown>): Stop {
    return this.follow([], CATALOG_ANSWERS[kind](this.parts.answers, id), listener);
  }

  changes(question: ChangesQuestion, listener: Listener<ChangesPage>): Stop {
    return this.follow(['config_changes'], changesSource(this.parts.answers, question), listener);
  }

  specSchema(file: string, listener: Listener<unknown>): Stop {
    return this.stand(null, specSchemaSource(this.parts.answers, file), listener);
  }

  catalogSummary(question: CatalogSummaryQuestion, listener: Listener<CatalogSummaryRow[]>): Stop {
    return this.stand(null, catalogSummarySource(this.parts.answers, question), listener);
  }

  /** Rows of that collection changed, or an administrator did something (null): tables are asked again. */
  renewTables(collection: string | null): void {
    for (const [one, follows] of this.tables)
      if (collection === null || follows.some((name) => name === collection)) one.renew();
  }

  /** Asks again for what may have changed; for everything after an outage (no ids). */
  renew(checkIds: readonly string[]): void {
    const changed = new Set(checkIds);
    if (changed.size === 0) this.renewTables(null);
    for (const [one, checkId] of this.standing) {
      if (changed.size === 0 || (checkId !== null && changed.has(checkId))) one.renew();
    }
  }

  stopAll(): void {
    for (const one of [...this.standing.keys(), ...this.tables.keys()]) one.stop();
  }

  private follow<T>(
    collections: readonly CollectionName[],
    source: AnswerSource<T>,
    listener: Listener<T>,
  ): Stop {
    const one = answer(this.parts.platform, source, listener);
    this.tables.set(one, collections);
    return () => {
      one.stop();
      this.tables.delete(one);
    };
  }

  private stand<T>(checkId: string | null, source: AnswerSource<T>, listener: Listener<T>): Stop {
    const unwatch = checkId === null ? () => {} : this.parts.watch(checkId);
    const one = answer(this.parts.platform, source, listener);
    this.standing.set(one, checkId);
    return () => {
      one.stop();
      this.standing.delete(one);
      unwatch();
    };
  }
}
