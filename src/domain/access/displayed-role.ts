import { ROLES, type Role } from './matrix.ts';

/** The one role that a user is shown with (spec 3 §2): the first of these that they have; null for none. */
export function displayedRole(roles: readonly string[]): Role | null {
  return ROLES.find((role) => roles.includes(role)) ?? null;
}
