/** How shared tablets are made, revoked and signed in on: one call of the server each (docs/tablet.md). */
import type { AdminAction } from '../../../src/contract/http/admin-actions.ts';
import type { HttpRequest } from '../network/http-client.ts';

const NAMES = ['share_tablet', 'revoke_tablet', 'bind_tablet_session'] as const;

export type TabletAction = Extract<AdminAction, { name: (typeof NAMES)[number] }>;

/** Whether it is one of those. */
export function isTabletAction(action: AdminAction): action is TabletAction {
  return (NAMES as readonly string[]).includes(action.name);
}

/** The call that does it. */
export function tabletRequest(action: TabletAction): HttpRequest {
  switch (action.name) {
    case 'share_tablet':
      return { path: '/api/tablets', method: 'POST', body: { name: action.tabletName } };
    case 'revoke_tablet':
      return { path: `/api/tablets/${action.id}`, method: 'DELETE' };
    case 'bind_tablet_session':
      return { path: '/api/tablets/here/session', method: 'POST' };
  }
}
