export function mayReadTable(_roles: readonly string[], table: string): boolean {
  return ['checks', 'canaries', 'check_statuses'].includes(table);
}
