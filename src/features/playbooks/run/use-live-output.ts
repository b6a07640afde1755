/** What a step writes while it runs, as far as the server tells: null where it tells nothing of it. */
export function useLiveOutput(_stepId: string, _isOpen: boolean): string | null {
  return null;
}
