import { errorText } from '../../contract/errors.ts';

/** Everything that the sign-in page says. */
export const messages = {
  title: 'Sign in to Holdfast',
  identifier: 'E-mail',
  password: 'Password',
  show: 'Show characters',
  signIn: 'Sign in',
  signingIn: 'Signing in …',
  required: 'This field is required',
  offline:
    'Signing in needs the server, and there is no connection. This works again by itself once there is one.',
  errorText,
} as const;
