import { messages } from './messages.ts';
import { groupBy } from '../../lib/group-by.ts';

export interface Category<Playbook> {
  name: string;
  playbooks: Playbook[];
}

/** Playbooks under their categories, both by name; those without one last, as Other (spec 1 §2). */
export function byCategory<Playbook extends { category: string | null }>(
  playbooks: readonly Playbook[],
): Category<Playbook>[] {
  const found = groupBy(playbooks, ({ category }) => category?.trim() || messages.other);
  const isOther = (name: string) => Number(name === messages.other);
  return [...found]
    .map(([name, members]) => ({ name, playbooks: members }))
    .toSorted((a, b) => isOther(a.name) - isOther(b.name) || a.name.localeCompare(b.name));
}
