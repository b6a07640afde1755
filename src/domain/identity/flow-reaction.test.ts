import { describe, expect, it } from 'vitest';
import { FLOW_KINDS, reactToRefusal, type FlowKind, type FlowRefusal } from './flow-reaction.ts';

const HERE = '/profile-settings?tab=1';
const ORIGIN = 'https://holdfast.example';
const refusal = (change: Partial<FlowRefusal>): FlowRefusal => ({
  status: 400,
  id: null,
  redirectTo: null,
  useFlowId: null,
  ...change,
});
const react = (kind: FlowKind, change: Partial<FlowRefusal>) => reactToRefusal(kind, refusal(change), HERE);

describe('what follows a refused identity flow (spec 3 §8)', () => {
  it('without a session the second factor’s page leads to the first factor’s form, and on to where it was to lead', () => {
    const at = (here: string) =>
      reactToRefusal('login', refusal({ status: 401, id: 'session_inactive' }), here);
    expect(at('/login?aal=aal2')).toEqual({ do: 'go', to: '/login' });
    expect(at('/login?aal=aal2&return_to=%2Fhealth%3Fa%3Db')).toEqual({
      do: 'go',
      to: '/login?return_to=%2Fhealth%3Fa%3Db',
    });
  });

  it('a page to return to that is refused is left out of the next question', () => {
    expect(react('login', { id: 'self_service_flow_return_to_forbidden' })).toEqual({
      do: 'restart',
      notice: 'The return_to address is not allowed.',
      flowId: null,
      isWithoutReturnTo: true,
    });
  });

  it.each(FLOW_KINDS.filter((kind) => kind !== 'login'))(
    '%s: an ended session leads to sign-in and back',
    (kind) => {
      const login = { do: 'go', to: '/login?return_to=%2Fprofile-settings%3Ftab%3D1' };
      expect(react(kind, { status: 401, id: 'session_inactive' })).toEqual(login);
      expect(react(kind, { status: 401 })).toEqual(login);
    },
  );

  it('a missing second factor leads where the server says, settings with the way back', () => {
    const required = { status: 403, id: 'session_aal2_required', redirectTo: `${ORIGIN}/login?aal=aal2` };
    expect(react('login', required)).toEqual({ do: 'go', to: `${ORIGIN}/login?aal=aal2` });
    expect(react('settings', required)).toEqual({
      do: 'go',
      to: `${ORIGIN}/login?aal=aal2&return_to=%2Fprofile-settings%3Ftab%3D1`,
    });
    expect(react('recovery', { ...required, redirectTo: null })).toMatchObject({
      to: '/login?aal=aal2&return_to=%2Fprofile-settings%3Ftab%3D1',
    });
  });

  it('a session that is too old is confirmed first', () => {
    expect(
      react('settings', { status: 403, id: 'session_refresh_required', redirectTo: `${ORIGIN}/x` }),
    ).toEqual({ do: 'go', to: '/login?refresh=true&return_to=%2Fprofile-settings%3Ftab%3D1' });
    expect(react('login', { status: 403, id: 'session_refresh_required', redirectTo: '/x' })).toEqual({
      do: 'go',
      to: '/x',
    });
  });

  it('who is signed in already goes to the app', () => {
    expect(react('login', { id: 'session_already_available' })).toEqual({ do: 'go', to: '/' });
  });

  it.each([
    ['self_service_flow_expired', 'Your interaction expired, please fill out the form again.'],
    ['security_csrf_violation', 'A security violation was detected, please fill out the form again.'],
  ])('%s begins anew and says so', (id, notice) => {
    expect(react('registration', { id, useFlowId: 'f2' })).toEqual({ do: 'restart', notice, flowId: 'f2' });
  });

  it('another identity begins anew in silence', () => {
    expect(react('settings', { id: 'security_identity_mismatch' })).toEqual({
      do: 'restart',
      notice: null,
      flowId: null,
    });
  });

  it('410 and an unknown flow begin anew; a redirect is followed; anything else fails', () => {
    expect(react('login', { status: 410, useFlowId: 'f3' })).toMatchObject({ do: 'restart', flowId: 'f3' });
    expect(react('login', { status: 404 })).toMatchObject({ do: 'restart', flowId: null });
    expect(
      react('recovery', {
        status: 422,
        id: 'browser_location_change_required',
        redirectTo: '/profile-settings',
      }),
    ).toEqual({ do: 'go', to: '/profile-settings' });
    expect(react('recovery', { status: 422, id: 'browser_location_change_required' })).toEqual({
      do: 'fail',
    });
    expect(react('login', { status: 403 })).toEqual({ do: 'fail' });
  });

  it('verification: 403 reloads the page, 400 leaves it', () => {
    expect(react('verification', { status: 403 })).toMatchObject({ do: 'restart' });
    expect(react('verification', { status: 400 })).toEqual({ do: 'go', to: '/' });
  });
});
