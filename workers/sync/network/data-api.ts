/** Questions to the data API, built with the PostgREST client and sent by our own HTTP client. */
import { PostgrestClient } from '@supabase/postgrest-js';
import { z } from 'zod';
import { AppError, ERROR_TEXTS } from '../../../src/contract/errors.ts';
import type { HttpClient } from './http-client.ts';

type Operator = 'eq' | 'gt' | 'gte' | 'lt' | 'is' | 'in' | 'not.in' | 'ilike';

export interface PageQuestion {
  table: string;
  select?: string;
  /** `column.operator` → value, all of which must hold. */
  where?: readonly { column: string; operator: Operator; value: string }[];
  /** A logic tree in the data API's syntax, which must hold as well. */
  logic?: string;
  /** Rows without a value come last where that is asked for; else where the database puts them. */
  order?: readonly { column: string; isDescending?: boolean; isEmptyLast?: boolean }[];
  limit?: number;
  offset?: number;
  wantsTotal?: boolean;
  signal?: AbortSignal;
}

export interface RowPage {
  /** As they came: the caller parses. */
  rows: unknown[];
  total: number | null;
}

export interface DataApi {
  page(question: PageQuestion): Promise<RowPage>;
}

const idSchema = z.guid();

/** An id may come from an address that somebody typed: no row has one that is none, and the database calls it an error. */
const asksForNoId = ({ where = [] }: PageQuestion): boolean =>
  where.some(
    ({ column, operator, value }) =>
      column === 'id' && operator === 'eq' && !idSchema.safeParse(value).success,
  );

/** A data API on the given client. */
export function createDataApi(http: HttpClient, origin: string): DataApi {
  const postgrest = new PostgrestClient(`${origin}/api/db`, {
    retry: false,
    fetch: async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const answer = await http.send({
        path: url.pathname + url.search,
        headers: Object.fromEntries(new Headers(init?.headers)),
        ...(init?.signal === null || init?.signal === undefined ? {} : { signal: init.signal }),
      });
      return new Response(answer.text, { status: answer.status, headers: answer.headers });
    },
  });

  return {
    async page(question) {
      if (asksForNoId(question)) return { rows: [], total: 0 };
      const { wantsTotal = false } = question;
      let query = postgrest
        .from(question.table)
        .select(question.select ?? '*', wantsTotal ? { count: 'exact' } : {});
      for (const { column, operator, value } of question.where ?? [])
        query = query.filter(column, operator, value);
      if (question.logic !== undefined) query = query.or(question.logic);
      let ordered = query.throwOnError();
      for (const { column, isDescending = false, isEmptyLast = false } of question.order ?? [])
        ordered = ordered.order(column, {
          ascending: !isDescending,
          ...(isEmptyLast ? { nullsFirst: false } : {}),
        });
      if (question.limit !== undefined) {
        const offset = question.offset ?? 0;
        ordered = ordered.range(offset, offset + question.limit - 1);
      }
      if (question.signal !== undefined) ordered = ordered.abortSignal(question.signal);
      const { data, count } = await readAnswer(() => ordered);
      if (!Array.isArray(data))
        throw new AppError('bad_payload', ERROR_TEXTS.bad_payload, { retryable: true });
      return { rows: data, total: count };
    },
  };
}

/** One row by its id; none is `not_found`. */
export async function rowById(
  api: DataApi,
  { id, ...question }: Pick<PageQuestion, 'table' | 'select' | 'signal'> & { id: string },
): Promise<unknown> {
  const { rows } = await api.page({ ...question, where: [{ column: 'id', operator: 'eq', value: id }] });
  const [row] = rows;
  if (row === undefined) throw new AppError('not_found', ERROR_TEXTS.not_found, { status: 404 });
  return row;
}

/** Our own failures pass; anything else that the client throws is a body that isn't what was asked for. */
async function readAnswer<T>(ask: () => PromiseLike<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('bad_payload', ERROR_TEXTS.bad_payload, { cause: error, retryable: true });
  }
}
