/** What the invite and edit form accepts, in the words of spec 3 §5. */
import { z } from 'zod';
import type { IdentityRow } from '../../contract/http/table-views.ts';
import { isRole } from '../../domain/access/matrix.ts';
import { messages } from './messages.ts';

const words = messages.form.errors;

export const userSchema = z.object({
  firstName: z.string().trim().min(1, words.firstName),
  lastName: z.string().trim().min(1, words.lastName),
  email: z
    .string()
    .trim()
    .min(1, words.email)
    .regex(/^\S[^\s@]*@\S[^\s.]*\.\S+$/, words.emailShape),
  role: z.string().refine(isRole, words.role),
  isActive: z.boolean(),
});
export type UserValues = z.input<typeof userSchema>;

export interface User {
  id: string;
  firstName: string;
  lastName: string;
  /** First and last name. */
  name: string;
  email: string;
  roles: readonly string[];
  isActive: boolean;
  /** False until they signed in for the first time; null where that is not known. */
  hasSignedIn: boolean | null;
  createdAt: string | null;
}

export type UserState = 'active' | 'invited' | 'inactive';

/** Who was invited and never came is not active yet. */
export function stateOf({ isActive, hasSignedIn }: Pick<User, 'isActive' | 'hasSignedIn'>): UserState {
  if (!isActive) return 'inactive';
  return hasSignedIn === false ? 'invited' : 'active';
}

interface KnownOfUser {
  roles: readonly string[];
  hasSignedIn: boolean | null;
}

/** A user from an identity and what else is known of it. */
export function userOf(identity: IdentityRow, { roles, hasSignedIn }: KnownOfUser): User {
  const { id, state, traits } = identity;
  const firstName = traits.name?.first ?? '';
  const lastName = traits.name?.last ?? '';
  const email = traits.email ?? '';
  return {
    id,
    firstName,
    lastName,
    name: `${firstName} ${lastName}`.trim() || email,
    email,
    roles,
    isActive: state === 'active',
    hasSignedIn,
    createdAt: identity.created_at ?? null,
  };
}
