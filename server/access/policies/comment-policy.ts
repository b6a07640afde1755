/** Who may change or remove a comment: whoever wrote it, and administrators (spec 3 §6, contract §13). */
import { effectiveRoles } from '../../../src/domain/access/matrix.ts';

/** Somebody who signed in. */
interface Person {
  personId: string;
  roles: readonly string[];
}

const mayChangeEvery = ({ roles }: Person): boolean => effectiveRoles(roles).includes('admin');

/** Whether that person may change a comment of that author. */
export function mayChangeComment(person: Person, authorId: unknown): boolean {
  return authorId === person.personId || mayChangeEvery(person);
}

/** The same rule as a filter of the data API; null where it lets every comment through. */
export function changeableComments(person: Person): string | null {
  return mayChangeEvery(person) ? null : `created_by=eq.${person.personId}`;
}
