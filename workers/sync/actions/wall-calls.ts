/** How walls and their boards are changed: one call of the server each (docs/wall.md). */
import type { AdminAction } from '../../../src/contract/http/admin-actions.ts';
import type { HttpRequest } from '../network/http-client.ts';

const NAMES = ['pair_wall', 'change_wall', 'revoke_wall', 'save_board', 'delete_board'] as const;

export type WallAction = Extract<AdminAction, { name: (typeof NAMES)[number] }>;

/** Whether it is one of those. */
export function isWallAction(action: AdminAction): action is WallAction {
  return (NAMES as readonly string[]).includes(action.name);
}

/** The call that does it. */
export function wallRequest(action: WallAction): HttpRequest {
  const path = '/api/walls';
  switch (action.name) {
    case 'pair_wall':
      return { path, method: 'POST', body: { code: action.code, name: action.wallName } };
    case 'change_wall':
      return {
        path: `${path}/${action.id}`,
        method: 'PATCH',
        body: { name: action.wallName, settings: action.settings },
      };
    case 'revoke_wall':
      return { path: `${path}/${action.id}`, method: 'DELETE' };
    case 'save_board':
      return { path: `${path}/boards/${action.id}`, method: 'POST', body: action.board };
    case 'delete_board':
      return { path: `${path}/boards/${action.id}`, method: 'DELETE' };
  }
}
