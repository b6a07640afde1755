/** What a collection comes to: worked out once for many readers, and not all the time where it changes all the time. */
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/db/database.ts';
import { forEachDatabase } from '../../platform/db/test-databases.ts';
import { readState } from './state-query.ts';
import { Tallies } from './tallies.ts';

forEachDatabase((_, open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });

  test('is known again without counting while nothing changes, and not counted at each change', async () => {
    const { epoch } = await readState(db);
    let nowMs = 1_000_000;
    const tallies = new Tallies(() => nowMs);
    const told = () => tallies.of(db, epoch, 'components');
    const first = await told();
    expect(first).toMatchObject({ count: 0, at: new Date(nowMs).toISOString() });
    nowMs += 30_000;
    expect(await told()).toEqual(first);
    // Rows grow too old without a change.
    nowMs += 31_000;
    expect(await told()).toMatchObject({ count: 0, at: new Date(nowMs).toISOString() });
    await db.run(
      `insert into components (name, type, external_id, status) values ('one', 'Host', 'one', 'healthy')`,
    );
    nowMs += 1_000;
    expect(await told()).toBeNull();
    nowMs += 5_000;
    const changed = await told();
    expect(changed).toMatchObject({ count: 1 });
    expect(changed?.cursor).not.toBe(first?.cursor);
    expect(await tallies.of(db, 'another', 'components')).toMatchObject({ count: 1 });
  });
});
