import { useTable } from '../../data/queries/use-table.ts';

/** Rules, the newest first, as many as one answer has; what was answered is kept on this device. Nothing while not wanted. */
export function useAllRules(isWanted: boolean) {
  return useTable(
    isWanted ? { view: 'notification_rules', order: [{ column: 'created_at', isDescending: true }] } : null,
  );
}
