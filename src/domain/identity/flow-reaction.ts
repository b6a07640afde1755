/**
 * What to do when an identity flow is refused (spec 3 §8, contract §2.2 'Flow errors'): go somewhere, begin anew,
 * or say why. Pure; the identity server's own words for a field come with the flow itself and are not seen here.
 */
import { lookupTable } from '../../lib/lookup-table.ts';

export const FLOW_KINDS = ['login', 'registration', 'recovery', 'verification', 'settings'] as const;
export type FlowKind = (typeof FLOW_KINDS)[number];

/** A refusal that is not the flow again. */
export interface FlowRefusal {
  status: number;
  /** `error.id` of the body; null when it has none. */
  id: string | null;
  /** Where the server wants the browser to be. */
  redirectTo: string | null;
  /** The flow that stands in for an expired one. */
  useFlowId: string | null;
}

export type FlowReaction =
  /** A path of the app, or an address of the server. */
  | { do: 'go'; to: string }
  /** A new form; `notice` is shown with it, `flowId` names it where the server made it already. */
  | {
      do: 'restart';
      notice: string | null;
      flowId: string | null;
      /** The new form is asked for without the page to come back to: that was what the server refused. */
      isWithoutReturnTo?: true;
    }
  | { do: 'fail' };

const NOTICES = lookupTable<string>({
  self_service_flow_return_to_forbidden: 'The return_to address is not allowed.',
  self_service_flow_expired: 'Your interaction expired, please fill out the form again.',
  security_csrf_violation: 'A security violation was detected, please fill out the form again.',
});

/** Where each kind of flow has its page. */
export const FLOW_PAGES: Readonly<Record<FlowKind, string>> = {
  login: '/login',
  registration: '/registration',
  recovery: '/recovery',
  verification: '/verification',
  settings: '/profile-settings',
};

function restart(id: string | null, useFlowId: string | null): FlowReaction {
  return { do: 'restart', notice: id === null ? null : (NOTICES[id] ?? null), flowId: useFlowId };
}

function loginPath(query: Record<string, string>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `/login?${pairs.join('&')}`;
}

function withReturnTo(address: string, returnTo: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}return_to=${encodeURIComponent(returnTo)}`;
}

/** Sign-in, and back to where one is; from the sign-in page itself, to where that was to lead. */
function signIn(kind: FlowKind, here: string): FlowReaction {
  if (kind !== 'login') return { do: 'go', to: loginPath({ return_to: here }) };
  const pair = (here.split('?')[1] ?? '').split('&').find((one) => one.startsWith('return_to='));
  // As it stands there, so that nothing is decoded and written anew.
  return { do: 'go', to: pair === undefined ? FLOW_PAGES.login : `${FLOW_PAGES.login}?${pair}` };
}

/** By the error's id; null when the id is none that has a rule of its own. */
function reactToId(kind: FlowKind, refusal: FlowRefusal, here: string): FlowReaction | null {
  const { id, redirectTo, useFlowId } = refusal;
  switch (id) {
    case 'session_inactive':
      return signIn(kind, here);
    case 'session_aal2_required': {
      if (redirectTo === null) return { do: 'go', to: loginPath({ aal: 'aal2', return_to: here }) };
      return { do: 'go', to: kind === 'settings' ? withReturnTo(redirectTo, here) : redirectTo };
    }
    case 'session_refresh_required':
      if (kind === 'login' && redirectTo !== null) return { do: 'go', to: redirectTo };
      return { do: 'go', to: loginPath({ refresh: 'true', return_to: here }) };
    case 'session_already_available':
      return { do: 'go', to: '/' };
    case 'self_service_flow_return_to_forbidden':
      return { do: 'restart', notice: NOTICES[id] ?? null, flowId: null, isWithoutReturnTo: true };
    case 'self_service_flow_expired':
    case 'security_csrf_violation':
      return restart(id, useFlowId);
    case 'security_identity_mismatch':
      return restart(null, null);
    case 'browser_location_change_required':
      return redirectTo === null ? { do: 'fail' } : { do: 'go', to: redirectTo };
    case null:
    default:
      return null;
  }
}

/**
 * What follows a refusal.
 *
 * @param here where the visitor is (path and query), to come back to after signing in.
 */
export function reactToRefusal(kind: FlowKind, refusal: FlowRefusal, here: string): FlowReaction {
  const byId = reactToId(kind, refusal, here);
  if (byId !== null) return byId;
  if (refusal.status === 410) return restart('self_service_flow_expired', refusal.useFlowId);
  if (refusal.status === 401) return signIn(kind, here);
  if (kind === 'verification' && refusal.status === 403) return restart(null, null);
  if (kind === 'verification' && refusal.status === 400) return { do: 'go', to: '/' };
  // A flow that the server no longer knows: it was used, or it is of another day.
  if (refusal.status === 404) return restart('self_service_flow_expired', null);
  return { do: 'fail' };
}
