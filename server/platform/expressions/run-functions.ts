/** What expressions of a playbook ask about the actions before (schema §7.4). */
import type { FinishedAction } from './script.ts';

const isFailed = ({ status }: FinishedAction) => status === 'failed';
const shown = (action: FinishedAction | undefined) =>
  action === undefined ? { name: '', status: '', error: '', result: {} } : { ...action };

/** Each gets the finished actions first, then what the expression gives. */
export const RUN_FUNCTIONS = {
  getAction: (actions: readonly FinishedAction[], ...[name]: unknown[]) =>
    shown(actions.findLast((action) => action.name === name)),
  getLastAction: (actions: readonly FinishedAction[]) => shown(actions.at(-1)),
  always: () => true,
  skip: () => false,
  success: (actions: readonly FinishedAction[]) => !actions.some(isFailed),
  failure: (actions: readonly FinishedAction[]) => actions.some(isFailed),
  timeout: (actions: readonly FinishedAction[]) => actions.some(({ isTimeout }) => isTimeout),
} satisfies Record<string, (actions: readonly FinishedAction[], ...values: unknown[]) => unknown>;
