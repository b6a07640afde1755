import { decideTableAccess } from './table-areas.ts';

/** Whether somebody with these roles may read the table, and so may hear that it changed. */
export function mayReadTable(roles: readonly string[], table: string): boolean {
  return decideTableAccess(table, 'GET', roles).kind === 'allowed';
}
