import { expect, test } from 'vitest';
import { byCategory } from './by-category.ts';

const playbook = (name: string, category: string | null) => ({ name, category });

test('playbooks stand under their category, categories by name, those without one last as Other', () => {
  const groups = byCategory([
    playbook('drain', 'Kubernetes'),
    playbook('loose', null),
    playbook('blank', '  '),
    playbook('backup', 'Databases'),
    playbook('restart', 'Kubernetes'),
  ]);
  expect(groups.map(({ name, playbooks }) => [name, playbooks.map((one) => one.name)])).toEqual([
    ['Databases', ['backup']],
    ['Kubernetes', ['drain', 'restart']],
    ['Other', ['loose', 'blank']],
  ]);
});
