import type { Difference } from '../../../domain/playbook/prepared-run.ts';

const healthText = (health: string | null) => health ?? 'unknown';

/** Everything that is said of prepared runs. */
export const messages = {
  on: (name: string) => `on ${name}`,
  unreadable: 'This version of the app cannot read what was prepared. Drop it, and prepare it anew.',
  checking: 'Checking what changed meanwhile …',
  same: 'Nothing that is known here has changed since.',
  changed: 'What changed meanwhile',
  difference(difference: Difference): string {
    switch (difference.kind) {
      case 'playbook-gone':
        return 'The playbook was deleted.';
      case 'playbook-edited':
        return 'The playbook was edited.';
      case 'resource-gone':
        return 'What it was to run on is gone.';
      case 'health':
        return `Its health was ${healthText(difference.before)}, and is ${healthText(difference.now)} now.`;
      case 'runs':
        return difference.count === 1
          ? 'The playbook ran once since, on the same resource.'
          : `The playbook ran ${difference.count} times since, on the same resource.`;
    }
  },
  seeRuns: 'See runs',
  run: 'Review and run …',
  mayNot: 'You may not run playbooks any more.',
  parameters: 'Parameters',
  waiting: (count: number) =>
    count === 1 ? '1 prepared run to confirm' : `${count} prepared runs to confirm`,
  openOutbox: 'Open outbox',
} as const;
