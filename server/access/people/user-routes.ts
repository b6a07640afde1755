/** Users and roles: invite, change, delete (contract §2.4, schema §3.1, §8.5). */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  inviteUserSchema,
  updateRolesSchema,
  updateStateSchema,
  updateUserSchema,
  userPropertiesSchema,
} from '../../../src/contract/http/identity/users.ts';
import { ROLES } from '../../../src/domain/access/matrix.ts';
import { mayAct, permissionsOf } from '../../../src/domain/access/objects.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { setPersonProperty } from './people-query.ts';
import { createUserAdministration } from './user-administration.ts';
import type { UserAdministration } from './user-administration.ts';
import { authorize, refuseUnless } from '../policies/refuse-unless.ts';
import { parse } from '../../platform/http/parse.ts';
import type { RouteContext } from '../request/route-context.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Administration } from '../identity/accounts/administration.ts';

interface UserParts {
  db: Database;
  administration: Administration;
  notify: (table: string) => void;
}

const idSchema = z.object({ id: z.guid() });
const DONE = { message: 'success' };

function readId(params: unknown): string {
  const parsed = idSchema.safeParse(params);
  if (!parsed.success) throw new AppError('not_found', 'User not found');
  return parsed.data.id;
}

/** One for each backend: it keeps the changes in turn. */
function createUsersOf(): (backend: UserParts) => UserAdministration {
  const known = new WeakMap<UserParts, UserAdministration>();
  return (backend) => {
    const users = known.get(backend) ?? createUserAdministration(backend);
    known.set(backend, users);
    return users;
  };
}

function registerAccountRoutes(app: FastifyInstance, context: RouteContext<UserParts>): void {
  const usersOf = createUsersOf();

  app.post('/api/auth/invite_user', async (request) => {
    authorize(await context.authenticate(request), 'auth', 'update');
    const { firstName: first, lastName: last, email, role } = parse(inviteUserSchema, request.body ?? {});
    const backend = context.backend();
    const { link } = await backend.administration.inviteIdentity({ first, last, email, role });
    backend.notify('people');
    return { link };
  });

  app.post('/api/people/update', async (request) => {
    const principal = await context.authenticate(request);
    authorize(principal, 'people', 'update');
    const {
      id,
      firstName: first,
      lastName: last,
      email,
      role,
      active,
    } = parse(updateUserSchema, request.body ?? {});
    const backend = context.backend();
    await usersOf(backend).update(principal.personId, { id, first, last, email, role, active });
    backend.notify('people');
    return { email: email.toLowerCase(), name: { first, last } };
  });

  app.delete('/api/people/:id', async (request) => {
    const principal = await context.authenticate(request);
    authorize(principal, 'people', 'delete');
    const backend = context.backend();
    await usersOf(backend).remove(principal.personId, readId(request.params));
    backend.notify('people');
    return DONE;
  });

  app.post('/api/auth/:id/update_state', async (request) => {
    const principal = await context.authenticate(request);
    authorize(principal, 'auth', 'update');
    const { state } = parse(updateStateSchema, request.body ?? {});
    await usersOf(context.backend()).setState(principal.personId, readId(request.params), state);
    return DONE;
  });

  app.post('/api/rbac/:id/update_role', async (request) => {
    authorize(await context.authenticate(request), 'rbac', 'update');
    const { roles } = parse(updateRolesSchema, request.body ?? {});
    await usersOf(context.backend()).addRoles(readId(request.params), roles);
    return DONE;
  });
}

/** Invite, change and remove users; their roles and their own properties. */
export function registerUserRoutes(app: FastifyInstance, context: RouteContext<UserParts>): void {
  registerAccountRoutes(app, context);

  // About oneself, or by those who manage accounts.
  app.post('/api/auth/:id/properties', async (request) => {
    const principal = await context.authenticate(request);
    const id = readId(request.params);
    const isAllowed = id === principal.personId || mayAct(principal.roles, 'auth', 'update');
    refuseUnless(isAllowed, { subject: principal.personId, object: 'auth', action: 'update' });
    const properties = parse(userPropertiesSchema, request.body ?? {});
    const backend = context.backend();
    if ((await setPersonProperty(backend.db, id, properties)) === 0)
      throw new AppError('not_found', 'User not found');
    backend.notify('people');
    return DONE;
  });

  app.get('/api/rbac/dump', async (request) => {
    authorize(await context.authenticate(request), 'rbac', 'read');
    return ROLES.flatMap((role) => permissionsOf(role, [role]));
  });
}
