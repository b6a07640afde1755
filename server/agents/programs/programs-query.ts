/** SQL of the programs that call with an agent's token. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import type { KnownProgram, Programs } from './programs.ts';

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;
const programsRow = z.strictObject({
  id: z.string().nullable(),
  host: z.string().nullable(),
  since: z.number().nullable(),
  seen: z.number().nullable(),
  second_id: z.string().nullable(),
  second_host: z.string().nullable(),
  second_since: z.number().nullable(),
  second_seen: z.number().nullable(),
});

interface ProgramColumns {
  id: string | null;
  host: string | null;
  since: number | null;
  seen: number | null;
}

const programIn = ({ id, host, since, seen }: ProgramColumns): KnownProgram | null =>
  id === null ? null : { id, host: host ?? '', sinceMs: since ?? 0, seenMs: seen ?? 0 };

const SELECT = `select program as id, program_host as host, ${ms('program_since')} as since, ${ms('program_seen')} as seen,
       second_program as second_id, second_program_host as second_host, ${ms('second_program_since')} as second_since,
       ${ms('second_program_seen')} as second_seen
      from agents where id = $1`;

/** Of an agent that is gone there are none. */
export async function findPrograms(db: Queryable, agentId: string): Promise<Programs> {
  return programsIn(await db.rows(programsRow, SELECT, [agentId]));
}

/** Holds the agent's row until the transaction ends. */
export async function lockPrograms(tx: Queryable, agentId: string): Promise<Programs> {
  return programsIn(await tx.rows(programsRow, `${SELECT} for no key update`, [agentId]));
}

function programsIn([row]: z.infer<typeof programsRow>[]): Programs {
  if (row === undefined) return { first: null, second: null };
  const { second_id: id, second_host: host, second_since: since, second_seen: seen } = row;
  return { first: programIn(row), second: programIn({ id, host, since, seen }) };
}

const columnsOf = (program: KnownProgram | null) =>
  program === null
    ? [null, null, null, null]
    : [program.id, program.host, new Date(program.sinceMs), new Date(program.seenMs)];

/** Inside the transaction that locked them. */
export function notePrograms(tx: Queryable, agentId: string, { first, second }: Programs): Promise<number> {
  return tx.run(
    `update agents set program = $2::text, program_host = $3::text, program_since = $4::timestamptz,
       program_seen = $5::timestamptz, second_program = $6::text, second_program_host = $7::text,
       second_program_since = $8::timestamptz, second_program_seen = $9::timestamptz
      where id = $1`,
    [agentId, ...columnsOf(first), ...columnsOf(second)],
  );
}
