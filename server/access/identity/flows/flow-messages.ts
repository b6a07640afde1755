/** The identity provider's own messages, ids and words (contract §2.2): pages and scripts know them by id. */
import { z } from 'zod';
import { jsonObject } from '../../../platform/db/row-schema.ts';

/** One line of a form, as the provider says it. */
export const flowMessage = z.object({
  id: z.number(),
  text: z.string(),
  type: z.enum(['error', 'info', 'success']),
  context: jsonObject.exactOptional(),
});
export type FlowMessage = z.infer<typeof flowMessage>;

const info = (id: number, text: string): FlowMessage => ({ id, text, type: 'info' });
const failure = (id: number, text: string): FlowMessage => ({ id, text, type: 'error' });
const success = (id: number, text: string): FlowMessage => ({ id, text, type: 'success' });

export const LABELS = {
  signIn: info(1_010_001, 'Sign in'),
  totpCode: info(1_010_006, 'Authentication code'),
  recoveryCode: info(1_010_007, 'Backup recovery code'),
  useTotp: info(1_010_009, 'Use Authenticator'),
  useRecoveryCode: info(1_010_010, 'Use backup recovery code'),
  signUp: info(1_040_001, 'Sign up'),
  unlinkTotp: info(1_050_004, 'Unlink TOTP Authenticator App'),
  totpQr: info(1_050_005, 'Authenticator app QR code'),
  revealCodes: info(1_050_007, 'Reveal backup recovery codes'),
  regenerateCodes: info(1_050_008, 'Generate new backup recovery codes'),
  codes: info(1_050_010, 'These are your back up recovery codes. Please keep them in a safe place!'),
  confirmCodes: info(1_050_011, 'Confirm backup recovery codes'),
  disableCodes: info(1_050_016, 'Disable this method'),
  totpSecret: info(
    1_050_017,
    'This is your authenticator app secret. Use it if you can not scan the QR code.',
  ),
  password: info(1_070_001, 'Password'),
  eMail: info(1_070_002, 'E-Mail'),
  firstName: info(1_070_002, 'First Name'),
  lastName: info(1_070_002, 'Last Name'),
  save: info(1_070_003, 'Save'),
  verifyCode: info(1_070_006, 'Verify code'),
  email: info(1_070_007, 'Email'),
  resendCode: info(1_070_008, 'Resend code'),
  proceed: info(1_070_009, 'Continue'),
  codeOfRecovery: info(1_070_010, 'Recovery code'),
  codeOfVerification: info(1_070_011, 'Verification code'),
} as const;

export const MESSAGES = {
  confirmAction: info(1_010_003, 'Please confirm this action by verifying that it is you.'),
  secondFactor: info(1_010_004, 'Please complete the second authentication challenge.'),
  saved: success(1_050_001, 'Your changes have been saved!'),
  recovered: success(
    1_060_001,
    'You successfully recovered your account. Please change your password or set up an alternative login ' +
      'method (e.g. social sign in) within the next 15.00 minutes.',
  ),
  recoverySent: info(
    1_060_003,
    'An email containing a recovery code has been sent to the email address you provided. If you have not ' +
      'received an email, check the spelling of the address and make sure to use the address you registered with.',
  ),
  verified: success(1_080_002, 'You successfully verified your email address.'),
  verificationSent: info(
    1_080_003,
    'An email containing a verification code has been sent to the email address you provided. If you have not ' +
      'received an email, check the spelling of the address and make sure to use the address you registered with.',
  ),
  wrongCredentials: failure(
    4_000_006,
    'The provided credentials are invalid, check for spelling mistakes in your password or username, ' +
      'email address, or phone number.',
  ),
  taken: failure(
    4_000_007,
    'An account with the same identifier (email, phone, username, ...) exists already.',
  ),
  wrongTotp: failure(4_000_008, 'The provided authentication code is invalid, please try again.'),
  usedRecoveryCode: failure(4_000_012, 'This backup recovery code has already been used.'),
  wrongRecoveryCode: failure(4_000_016, 'The backup recovery code is not valid.'),
  passwordLikeIdentifier: failure(
    4_000_031,
    'The password can not be used because it is too similar to the identifier.',
  ),
  wrongRecoveryLink: failure(
    4_060_004,
    'The recovery token is invalid or has already been used. Please retry the flow.',
  ),
  wrongCodeOfRecovery: failure(
    4_060_006,
    'The recovery code is invalid or has already been used. Please try again.',
  ),
  wrongVerificationLink: failure(
    4_070_001,
    'The verification token is invalid or has already been used. Please retry the flow.',
  ),
  wrongCodeOfVerification: failure(
    4_070_006,
    'The verification code is invalid or has already been used. Please try again.',
  ),
} as const;

/** The message of a field that was left empty. */
export function missingField(name: string): FlowMessage {
  return failure(4_000_002, `Property ${name} is missing.`);
}

/** Said at the field whose value is no address. */
export function notAnEmail(value: string): FlowMessage {
  return failure(4_000_001, `${JSON.stringify(value)} is not valid "email"`);
}

/** Lengths in characters. */
export function tooLong(maxLength: number, actual: number): FlowMessage {
  return failure(4_000_017, `length must be <= ${maxLength}, but got ${actual}`);
}

/** Lengths in characters. */
export function passwordTooShort(minLength: number, actual: number): FlowMessage {
  return failure(4_000_032, `The password must be at least ${minLength} characters long, but got ${actual}.`);
}

/** Lengths in characters. */
export function passwordTooLong(maxLength: number, actual: number): FlowMessage {
  return failure(4_000_033, `The password must be at most ${maxLength} characters long, but got ${actual}.`);
}

/** `reason` completes "because …". */
export function passwordRefused(reason: string): FlowMessage {
  return failure(4_000_005, `The password can not be used because ${reason}.`);
}

/** The secret as text, for those who can't scan the picture. */
export function totpSecretText(secret: string): FlowMessage {
  return { ...info(1_050_006, secret), context: { secret } };
}

/** The codes as one text, with each as the identity provider lists it. */
export function recoveryCodesText(codes: readonly { code: string; usedAt: string | null }[]): FlowMessage {
  const secrets = codes.map(({ code, usedAt }) =>
    usedAt === null
      ? { ...info(1_050_009, code), context: { secret: code } }
      : { ...info(1_050_014, `Secret was used at ${usedAt}`), context: { used_at: usedAt } },
  );
  const text = codes.map(({ code, usedAt }) => (usedAt === null ? code : 'used')).join(', ');
  return { ...info(1_050_015, text), context: { secrets } };
}
