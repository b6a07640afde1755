/** For tests only: a team with members. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../../../server/platform/db/database.ts';

/** Answers its id. */
export async function newTeam(
  db: Database,
  memberIds: readonly string[],
  spec: unknown = {},
): Promise<string> {
  const teamId = randomUUID();
  await db.run(
    `insert into teams (id, name, spec, created_by) values ($1, $2, $3::jsonb, (select id from people order by id limit 1))`,
    [teamId, `team-${teamId}`, JSON.stringify(spec)],
  );
  for (const personId of memberIds) {
    await db.run('insert into team_members (team_id, person_id) values ($1, $2)', [teamId, personId]);
  }
  return teamId;
}
