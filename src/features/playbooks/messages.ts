/** Everything that the playbooks page says. */
export const messages = {
  title: 'Playbooks',
  loading: 'Loading the playbooks …',
  total: (count: number) => (count === 1 ? '1 playbook' : `${count} playbooks`),
  /** Spec 1 §2: the group of those without a category. */
  other: 'Other',
  notYet: 'This version lists playbooks and shows their runs; it cannot run them yet.',
  empty: 'No playbooks yet',
  emptyHint: 'A playbook is a list of steps that runs against a component, a catalog item or a check.',
} as const;
