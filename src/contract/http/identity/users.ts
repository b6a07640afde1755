/** Users, roles and agents as administrators handle them (contract §2.4, §8; the texts are spec 3 §5's). */
import { z } from 'zod';
import { ROLES } from '../../../domain/access/matrix.ts';

const MAX_NAME = 200;
const MAX_EMAIL = 254;
/** "text, at sign, text, dot, text"; no white space, which could end a mail header. */
const EMAIL = /^[^\s@<>",;]+@[^\s@<>",;][^\s@<>",;.]*\.[^\s@<>",;]+$/;

const name = (message: string) => z.string(message).trim().min(1, message).max(MAX_NAME, message);

const userFields = {
  firstName: name('Please provide valid first name'),
  lastName: name('Please provide valid last name'),
  email: z
    .string('Please provide valid email')
    .trim()
    .min(1, 'Please provide valid email')
    .max(MAX_EMAIL, 'Please provide valid email')
    .regex(EMAIL, 'Entered value does not match email format'),
  role: z.enum(ROLES, 'Please select any role'),
};

/** `POST /auth/invite_user` */
export const inviteUserSchema = z.object(userFields);

/** `POST /people/update`; without `active` the state stays. */
export const updateUserSchema = z.object({
  id: z.guid('must be the id of a user'),
  ...userFields,
  active: z.boolean().optional(),
});

/** `POST /rbac/{id}/update_role` */
export const updateRolesSchema = z.object({
  roles: z.array(z.enum(ROLES, `allowed are ${ROLES.join(', ')}`)).min(1, 'Please select any role'),
});

/** `POST /auth/{id}/update_state` */
export const updateStateSchema = z.object({
  state: z.enum(['active', 'inactive'], 'allowed are active and inactive'),
});

/** `POST /auth/{id}/properties`: what somebody does at work, not what he may do here. */
export const userPropertiesSchema = z.object({ role: z.string().trim().max(MAX_NAME) });

/** In Kubernetes names of the agent's release, and in log lines. */
const AGENT_NAME = /^[a-z0-9]([a-z0-9._-]{0,98}[a-z0-9])?$/i;
const MAX_PROPERTIES = 100;
const propertyText = z.string().max(1000);

/** `POST /agent/generate`; what else the form sends stays out. */
export const generateAgentSchema = z.object({
  name: z
    .string('is required')
    .trim()
    .min(1, 'is required')
    .regex(
      AGENT_NAME,
      'takes up to 100 letters, digits, dots, dashes and underscores, a letter or digit at each end',
    ),
  properties: z
    .record(propertyText, propertyText)
    .refine((map) => Object.keys(map).length <= MAX_PROPERTIES, `takes at most ${MAX_PROPERTIES} entries`)
    .refine(({ type = 'agent' }) => type === 'agent', 'has a type that is kept by the server')
    .nullish(),
});
