/** SQL of the notes that people leave for the next shift. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';

export interface NewShiftNote {
  id: string;
  text: string;
  shiftFrom: string;
  personId: string;
  now: Date;
}

/** Notes that are older than this tell nobody anything. */
const KEPT_DAYS = 90;

/** Makes it or writes it again; answers 0 where it is somebody else's. */
export async function saveNote(tx: Queryable, note: NewShiftNote): Promise<number> {
  await tx.run(
    `delete from shift_notes where created_at < $1::timestamptz - make_interval(days => $2::int)`,
    [note.now, KEPT_DAYS],
  );
  return tx.run(
    `insert into shift_notes (id, text, shift_from, created_by, created_at, updated_at)
     values ($1::uuid, $2, least($3::timestamptz, $5::timestamptz), $4::uuid, $5::timestamptz, $5::timestamptz)
     on conflict (id) do update set text = excluded.text, updated_at = excluded.updated_at
      where shift_notes.created_by = excluded.created_by`,
    [note.id, note.text, note.shiftFrom, note.personId, note.now],
  );
}

const noteRow = z.strictObject({ text: z.string(), created_by: z.string() });

/** The note, kept from others until the transaction ends; null when there is none. */
export async function lockNote(tx: Queryable, id: string): Promise<z.infer<typeof noteRow> | null> {
  const [row] = await tx.rows(
    noteRow,
    `select text, created_by from shift_notes where id = $1::uuid for update`,
    [id],
  );
  return row ?? null;
}

/** Writes a note again. */
export async function editNote(tx: Queryable, { id, text }: { id: string; text: string }): Promise<void> {
  await tx.run(`update shift_notes set text = $2 where id = $1::uuid`, [id, text]);
}
