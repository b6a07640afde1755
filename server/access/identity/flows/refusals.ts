/** The error catalogue of the identity (contract §2.2, spec 3 §8), each with its id, status and words. */
import type { IdentityRefusal, Visitor } from './flow-kind.ts';
import { SELF_SERVICE } from './flow-kind.ts';
import type { FlowRow } from './flow-query.ts';

export const CSRF_REFUSAL: IdentityRefusal = {
  status: 403,
  id: 'security_csrf_violation',
  reason: 'The form was not asked for by this browser, or its cookie is gone.',
  message: 'the request was rejected to protect you from Cross-Site-Request-Forgery',
};

export const UNKNOWN_FLOW: IdentityRefusal = {
  status: 404,
  reason: 'There is no such form.',
  message: 'The requested resource could not be found',
};

export const RETURN_TO_REFUSAL: IdentityRefusal = {
  status: 400,
  id: 'self_service_flow_return_to_forbidden',
  reason: 'The page to return to is not a page of this server.',
  message: 'the requested return_to address is not allowed',
};

/** 401: leads to sign-in and back to `returnTo`. */
export function noSession(returnTo: string | null): IdentityRefusal {
  return {
    status: 401,
    id: 'session_inactive',
    reason: 'No valid session credentials found in the request.',
    message: 'The request could not be authorized',
    page: returnTo === null ? '/login' : `/login?return_to=${encodeURIComponent(returnTo)}`,
  };
}

/** 400: sign-in and registration are for those who aren't signed in. */
export function sessionThere(returnTo: string | null): IdentityRefusal {
  return {
    status: 400,
    id: 'session_already_available',
    reason: 'A session is there already.',
    message: 'A valid session was detected and thus login is not possible.',
    page: returnTo ?? '/',
  };
}

/** Where somebody shows one more time who he is. */
export function loginUrl(
  visitor: Visitor,
  query: { aal?: 'aal2'; refresh?: 'true'; returnTo: string | null },
): string {
  const search = new URLSearchParams();
  if (query.aal !== undefined) search.set('aal', query.aal);
  if (query.refresh !== undefined) search.set('refresh', query.refresh);
  if (query.returnTo !== null) search.set('return_to', query.returnTo);
  return `${visitor.origin}${SELF_SERVICE}/login/browser?${search.toString()}`;
}

/** 403: leads to the form for the second factor. */
export function secondFactorNeeded(visitor: Visitor, returnTo: string | null): IdentityRefusal {
  const to = loginUrl(visitor, { aal: 'aal2', returnTo });
  return {
    status: 403,
    id: 'session_aal2_required',
    reason: 'An active session was found but it does not fulfil the requested Authenticator Assurance Level.',
    message: 'Session does not fulfill the requested Authenticator Assurance Level',
    extra: { redirect_browser_to: to },
    page: to,
  };
}

/** 403: what was asked for needs a sign-in of the last minutes; leads there. */
export function refreshNeeded(visitor: Visitor, returnTo: string): IdentityRefusal {
  const to = loginUrl(visitor, { refresh: 'true', returnTo });
  return {
    status: 403,
    id: 'session_refresh_required',
    reason:
      'The login session is too old and thus not allowed to update these fields. Please re-authenticate.',
    message: 'The requested action was forbidden',
    extra: { redirect_browser_to: to },
    page: to,
  };
}

/** 403: somebody else has signed in since the form was opened. */
export function identityMismatch(page: string): IdentityRefusal {
  return {
    status: 403,
    id: 'security_identity_mismatch',
    reason: 'The form belongs to another account than the one that is signed in.',
    message: 'The requested action was forbidden',
    page,
  };
}

/** 422: for scripts of a page, which have to go to `to` themselves. */
export function moveBrowser(to: string): IdentityRefusal {
  return {
    status: 422,
    id: 'browser_location_change_required',
    reason: `In order to complete this flow please redirect the browser to: ${to}`,
    message: 'browser location change required',
    extra: { redirect_browser_to: to },
    page: to,
  };
}

/** 410: with a fresh form in the place of the old one. */
export function expired(flow: FlowRow, replacementId: string, page: string): IdentityRefusal {
  return {
    status: 410,
    id: 'self_service_flow_expired',
    reason: 'The form was open for too long, or tried too often.',
    message: 'self-service flow expired',
    extra: { expired_at: flow.expires_at, since: flow.issued_at, use_flow_id: replacementId },
    page: `${page}?flow=${replacementId}`,
  };
}

/** 429, with the time to wait. */
export function tooManyAttempts(retryAfterSeconds: number): IdentityRefusal {
  return {
    status: 429,
    reason: 'Too many attempts from here.',
    message: 'Too many attempts. Please wait a moment.',
    retryAfterSeconds,
  };
}

export const REGISTRATION_DISABLED: IdentityRefusal = {
  status: 400,
  id: 'self_service_flow_disabled',
  reason: 'Registration is not allowed because it was disabled.',
  message: 'registration flow disabled',
};

export const INVITATION_OVER: IdentityRefusal = {
  status: 403,
  reason: 'The invitation is invalid or has already been used. Please ask for another.',
  message: 'The requested action was forbidden',
};
