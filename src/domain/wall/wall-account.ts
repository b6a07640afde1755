/** Whether this is the account of a paired screen: nobody's own, read only (docs/decisions/0046). */
export function isWallAccount(account: { type?: string | null | undefined } | null): boolean {
  return account?.type === 'wall';
}
