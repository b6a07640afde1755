/** When this outbox's database was made: another one under the same name has another time, so a loss is noticed. */
import type { Dexie, Table } from 'dexie';
import { z } from 'zod';

const BORN = 'born';
const bornSchema = z.object({ key: z.literal(BORN), atMs: z.number() });

/** The database takes the place of one that was made then. */
export async function writeCreatedAt(facts: Table<unknown, string>, atMs: number): Promise<void> {
  await facts.put({ key: BORN, atMs });
}

/** ms; noted with the first look. */
export function readCreatedAt(db: Dexie, facts: Table<unknown, string>, nowMs: number): Promise<number> {
  return db.transaction('rw', facts, async () => {
    const known = bornSchema.safeParse(await facts.get(BORN));
    if (known.success) return known.data.atMs;
    await facts.put({ key: BORN, atMs: nowMs });
    return nowMs;
  });
}
