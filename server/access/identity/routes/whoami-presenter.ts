import { permissionsOf } from '../../../../src/domain/access/objects.ts';
import type { Principal } from '../sessions/principal.ts';

/** `GET /auth/whoami` (schema §9.1). */
export function presentWhoami(
  principal: Principal,
  { hostname, properties }: { hostname: string; properties: object | null },
) {
  const { personId, name, email, type, avatar, externalId, roles } = principal;
  const optional = { email, type, avatar, external_id: externalId, properties };
  const known = Object.entries(optional).filter(([, value]) => value !== null);
  return {
    message: 'success',
    payload: {
      user: { id: personId, name, ...Object.fromEntries(known) },
      roles,
      permissions: permissionsOf(personId, roles),
      hostname,
    },
  };
}
