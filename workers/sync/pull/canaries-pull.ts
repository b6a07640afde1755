/**
 * Replicates canaries. They are few and their view lists live ones only, without a change that a cursor could
 * follow (schema §1.6), so each pull reads the list and keeps the difference.
 */
import { AppError } from '../../../src/contract/errors.ts';
import { canarySchema, type Canary } from '../../../src/contract/http/canary.ts';
import type { FailedCanary } from '../../../src/contract/worker.ts';
import type { DataApi } from '../network/data-api.ts';
import type { ReplicaRows } from './replica-rows.ts';
import { keysetPages, type KeysetQuestion } from './keyset-pages.ts';
import { createRowParser } from './row-parser.ts';

const COLUMNS = 'id,name,namespace,labels,source,agent_id,updated_at,deleted_at';
/** Ours tells why a canary can't run; the contract's plain backend doesn't. */
const SOURCES: readonly Pick<KeysetQuestion, 'table' | 'select'>[] = [
  { table: 'canaries_with_status', select: `${COLUMNS},job_status,error` },
  { table: 'canaries', select: COLUMNS },
];

export interface CanariesPull {
  pull(signal: AbortSignal): Promise<void>;
}

/** Canaries whose file or spec was refused, by name. */
export function failedCanariesOf(canaries: readonly Canary[]): FailedCanary[] {
  return canaries
    .flatMap(({ id, name, namespace, source, error }) =>
      error === null || error === '' ? [] : [{ id, name, namespace, source, error }],
    )
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** A row that doesn't parse is left out and reported. */
export function createCanariesPull(options: {
  api: DataApi;
  kept: ReplicaRows<Canary>;
  report: (error: unknown) => void;
}): CanariesPull {
  const { api, kept } = options;
  const parse = createRowParser('canaries', canarySchema, options.report);
  let source = 0;

  const readAll = async (signal: AbortSignal): Promise<Canary[]> => {
    const { table, select } = SOURCES[source] ?? { table: 'canaries', select: COLUMNS };
    const where = [{ column: 'deleted_at', operator: 'is', value: 'null' } as const];
    const rows: Canary[] = [];
    for await (const page of keysetPages(api, {
      table,
      ...(select === undefined ? {} : { select }),
      where,
      keys: ['id'],
      signal,
    }))
      rows.push(...parse(page.rows));
    return rows;
  };

  const isUnknownToServer = (error: unknown) =>
    error instanceof AppError && (error.code === 'invalid' || error.code === 'not_found');

  return {
    async pull(signal) {
      let rows: Canary[];
      try {
        rows = await readAll(signal);
      } catch (error) {
        if (!isUnknownToServer(error) || source + 1 >= SOURCES.length) throw error;
        source += 1;
        rows = await readAll(signal);
      }
      const here = new Set(rows.map((row) => row.id));
      const gone = [...(await kept.known()).keys()].filter((id) => !here.has(id));
      await kept.merge(rows, gone);
    },
  };
}
