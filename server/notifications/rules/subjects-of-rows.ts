/** What rows of the history are about. */
import type { Queryable } from '../../platform/db/database.ts';
import { subjectKindOf } from './subject.ts';
import { subjectsOf, type SubjectKind, type SubjectRow } from './subject-query.ts';
import { addTo } from '../../../src/lib/group-by.ts';

interface ToldRow {
  source_event: string;
  resource_id: string;
}

/** By the id of the thing; without those that are gone. */
export async function subjectsOfRows(
  db: Queryable,
  rows: readonly ToldRow[],
): Promise<Map<string, SubjectRow>> {
  const byKind = new Map<SubjectKind, string[]>();
  for (const { source_event: event, resource_id: id } of rows) {
    const kind = subjectKindOf(event);
    if (kind !== null) addTo(byKind, kind, id);
  }
  const found = new Map<string, SubjectRow>();
  for (const [kind, ids] of byKind)
    for (const subject of await subjectsOf(db, kind, ids)) found.set(subject.id, subject);
  return found;
}
