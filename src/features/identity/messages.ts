import { errorText } from '../../contract/errors.ts';
import type { FlowKind } from '../../domain/identity/flow-reaction.ts';

/** Everything that the identity pages say themselves; the words of the forms come with them. */
export const messages = {
  titles: {
    login: 'Sign In to your account',
    registration: 'Create account',
    recovery: 'Recover account',
    verification: 'Verify account',
    settings: 'Profile settings',
  } satisfies Record<FlowKind, string>,
  secondFactor: 'Two-Factor Authentication',
  confirm: 'Confirm Action',
  resetPassword: 'Reset password',
  createAccount: 'Create account',
  toSignIn: 'Sign in',
  signOut: 'Sign out',
  retry: 'Retry',
  loading: 'Loading the form …',
  working: 'One moment …',
  show: 'Show characters',
  required: 'This field is required',
  offline:
    'Signing in needs the server, and there is no connection. This works again by itself once there is one.',
  offlineSettings: 'Changing your profile needs the server, and there is no connection.',
  hosted: {
    go: 'Continue',
    hint: {
      login: 'You sign in with your organization’s account, at its sign-in provider.',
      registration: 'Accounts are made at your organization’s sign-in provider.',
    },
  },
  errorText,
  groups: {
    profile: 'Profile',
    password: 'Password',
    oidc: 'Sign-in with other accounts',
    lookup_secret: 'Recovery codes',
    totp: 'Authenticator app',
    webauthn: 'Security keys',
    code: 'Code by e-mail',
    link: 'Link by e-mail',
  } as Readonly<Record<string, string>>,
  groupHints: {
    totp: 'A second factor: six digits from an app on your phone, asked for after the password.',
    lookup_secret: 'For the day the phone is gone. Each code works once; keep them somewhere safe.',
  } as Readonly<Record<string, string>>,
  qrCode: 'QR code for the authenticator app',
  tokens: {
    title: 'Access tokens',
    hint: 'What signs in with one of these does so in your name. They end with a change of your password, too.',
    opensAll: 'opens all that you may do',
    opensClusters: 'opens clusters only',
    made: (when: string) => `made ${when}`,
    ends: (when: string) => `ends ${when}`,
    endless: 'does not end by itself',
    end: 'End token',
    endQuestion: (name: string) => `End the token ${name}?`,
    confirm: 'End token',
  },
  sessions: {
    title: 'Where you are signed in',
    thisOne: 'This device',
    since: (when: string) => `since ${when}`,
    revoke: 'Sign out there',
    revokeQuestion: 'Sign this device out?',
    revokeAll: 'Sign out everywhere else',
    revokeAllQuestion: 'Sign out every other device?',
    confirm: 'Sign out',
    only: 'You are signed in on this device only.',
    unknown: 'Unknown device',
  },
} as const;
