/** What a password must be: long enough, not the address, not one that everybody tries first. */
import { MAX_PASSWORD_LENGTH } from '../accounts/passwords.ts';
import { passwordRefused, passwordTooLong, passwordTooShort, MESSAGES } from './flow-messages.ts';
import type { FlowMessage } from './flow-messages.ts';

const MIN_PASSWORD_LENGTH = 8;

/** The heads of published lists of leaked passwords, of those that are long enough to be taken here. */
const COMMON: ReadonlySet<string> = new Set(
  `12345678 123456789 1234567890 12341234 11111111 00000000 87654321 88888888 147258369 987654321 123123123
   password password1 password12 password123 passw0rd p@ssword p@ssw0rd qwertyui qwerty123 qwertyuiop 1q2w3e4r
   1q2w3e4r5t 1qaz2wsx q1w2e3r4 zaq12wsx asdfghjkl asdf1234 zxcvbnm1 iloveyou iloveyou1 sunshine princess
   football baseball superman batman123 starwars trustno1 whatever michael1 jennifer computer internet letmein1
   welcome1 welcome123 admin123 admin1234 administrator changeme changeme1 holdfast abcd1234 abc12345 a1b2c3d4
   monkey123 dragon123 master123 shadow123 charlie1 google123 samsung1 test1234 testtest default1 secret123`.split(
    /\s+/,
  ),
);

function isLikeEmail(password: string, email: string): boolean {
  const [localPart = ''] = email.split('@');
  return password === email || password === localPart;
}

/** What is wrong with a password for the account of this address; null when nothing is. */
export function passwordProblem(password: string, email: string): FlowMessage | null {
  const { length } = password;
  if (length < MIN_PASSWORD_LENGTH) return passwordTooShort(MIN_PASSWORD_LENGTH, length);
  if (length > MAX_PASSWORD_LENGTH) return passwordTooLong(MAX_PASSWORD_LENGTH, length);
  const lower = password.toLowerCase();
  if (isLikeEmail(lower, email.toLowerCase())) return MESSAGES.passwordLikeIdentifier;
  if (COMMON.has(lower) || new Set(lower).size === 1)
    return passwordRefused('it is among the most common ones');
  return null;
}
