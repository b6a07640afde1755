/** How the demo reads and writes rows: through the data API, like any other client. */
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import type { DataApi } from '../../replication/data-api/data-api.ts';
import type { DemoRows } from './demo-records.ts';

export interface DemoClientDeps {
  dataApi: Pick<DataApi, 'handle'>;
}

export interface DemoClient {
  /** Rows of a table by a query of the data API. */
  read<Row>(query: { table: string; search: string; row: z.ZodType<Row> }): Promise<Row[]>;
  /** Adds the rows, and brings back those that were removed. */
  write(rows: DemoRows, authorId: string): Promise<void>;
  /** Changes some columns of one row. */
  change(row: { table: string; id: string }, values: Record<string, unknown>): Promise<void>;
}

const ADMIN = ['admin'];
const APPEND_ONLY: ReadonlySet<string> = new Set(['team_members']);

/** Values for an `in.(…)` of the data API. */
export const quotedList = (values: readonly string[]) => values.map((value) => `"${value}"`).join(',');

/** Acts as an administrator; a refused call throws. */
export function createDemoClient({ dataApi }: DemoClientDeps): DemoClient {
  async function call(
    request: Omit<Parameters<DataApi['handle']>[0], 'roles' | 'target'> & { table: string },
  ): Promise<string> {
    const { table, ...rest } = request;
    const answer = await dataApi.handle({ ...rest, target: { kind: 'table', name: table }, roles: ADMIN });
    if (answer.status >= 400) throw new AppError('server', `demo: ${table}: ${answer.body}`);
    return answer.body;
  }

  return {
    async read({ table, search, row }) {
      return z.array(row).parse(JSON.parse(await call({ method: 'GET', table, search, headers: {} })));
    },
    async write({ table, key, rows }, authorId) {
      const isKept = APPEND_ONLY.has(table);
      const body = JSON.stringify(isKept ? rows : rows.map((row) => ({ ...row, deleted_at: null })));
      const resolution = isKept ? 'ignore-duplicates' : 'merge-duplicates';
      const headers = { prefer: `resolution=${resolution}, return=minimal` };
      await call({ method: 'POST', table, search: `on_conflict=${key}`, headers, body, subject: authorId });
    },
    async change({ table, id }, values) {
      const headers = { prefer: 'return=minimal' };
      await call({ method: 'PATCH', table, search: `id=eq.${id}`, headers, body: JSON.stringify(values) });
    },
  };
}
