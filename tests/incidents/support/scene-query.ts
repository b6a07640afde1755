/** For tests only: one incident with something of every kind, and how it stands afterwards. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../../../server/platform/db/database.ts';
import { insertIncident } from './incident-query.ts';
import type { Scene } from './rival-commands.ts';

interface People {
  author: string;
  responder: string;
  strangers: readonly [string, string];
}

export async function insertScene(db: Database, { author, responder, strangers }: People): Promise<Scene> {
  const { incidentId, rootId } = await insertIncident(db, { status: 'open', by: author });
  const [factorId, evidenceId, commentId, responderId] = [
    randomUUID(),
    randomUUID(),
    randomUUID(),
    randomUUID(),
  ];
  await db.run(
    `insert into hypotheses (id, incident_id, parent_id, title, type, status, created_by)
     values ($1, $2, $3, 'Factor', 'factor', 'possible', $4)`,
    [factorId, incidentId, rootId, author],
  );
  await db.run(
    `insert into evidences (id, hypothesis_id, type, description, created_by) values ($1, $2, 'comment', 'Seen once', $3)`,
    [evidenceId, factorId, author],
  );
  await db.run(
    `insert into comments (id, incident_id, hypothesis_id, comment, created_by) values ($1, $2, $3, 'Seen', $4)`,
    [commentId, incidentId, factorId, author],
  );
  await db.run(
    `insert into responders (id, incident_id, type, person_id, created_by) values ($1, $2, 'person', $3, $4)`,
    [responderId, incidentId, responder, author],
  );
  return { incidentId, rootId, factorId, evidenceId, commentId, responderId, strangers };
}

/** Everything about it that people wrote, in an order of its own; not when, nor under which id. */
export async function readScene(db: Database, { incidentId }: Scene): Promise<string | null> {
  return db.text(
    `select jsonb_build_object(
       'incident', (select jsonb_build_array(title, severity, type, status) from incidents where id = $1),
       'hypotheses', (select jsonb_agg(jsonb_build_array(h.title, h.type, h.status, parent.title) order by h.title)
         from hypotheses h left join hypotheses parent on parent.id = h.parent_id where h.incident_id = $1),
       'evidences', (select jsonb_agg(jsonb_build_array(e.description, e.definition_of_done) order by e.description)
         from evidences e join hypotheses h on h.id = e.hypothesis_id where h.incident_id = $1),
       'comments', (select jsonb_agg(comment order by comment) from comments where incident_id = $1),
       'responders', (select jsonb_agg(person_id order by person_id) from responders
         where incident_id = $1 and deleted_at is null))::text`,
    [incidentId],
  );
}
