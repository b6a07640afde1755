/** The kinds of actions that this server runs. */
import { AppError } from '../../../src/contract/errors.ts';
import { playbookActionName } from '../../../src/contract/specs/playbook-spec.ts';
import type { PlaybookAction } from '../../../src/contract/specs/playbook-spec.ts';
import type { OpenedAction, RegisteredKind, RenderContext } from '../actions/action-kind.ts';
import { azureDevopsAction } from '../actions/azure-devops-action.ts';
import { execAction } from '../actions/exec/exec-action.ts';
import { githubAction } from '../actions/github-action.ts';
import { gitopsAction } from '../actions/gitops/gitops-action.ts';
import { httpAction } from '../actions/http-action.ts';
import { notificationAction } from '../actions/notification-action.ts';
import { podAction } from '../actions/pod/pod-action.ts';
import { sqlAction } from '../actions/sql-action.ts';

const KINDS: ReadonlyMap<string, RegisteredKind> = new Map(
  [
    execAction,
    httpAction,
    sqlAction,
    notificationAction,
    githubAction,
    azureDevopsAction,
    gitopsAction,
    podAction,
  ].map((kind) => [kind.name, kind]),
);

/** The action with its templates filled, ready to run; throws `invalid` for one that this server can't run. */
export function openAction(action: PlaybookAction, context: RenderContext): Promise<OpenedAction> {
  const name = playbookActionName(action);
  const kind = name === null ? undefined : KINDS.get(name);
  if (name === null || kind === undefined)
    throw new AppError('invalid', `actions of the kind ${name ?? '(none)'} are not run by this server`);
  return kind.open(action[name], context);
}
