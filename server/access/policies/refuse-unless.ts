/** The refusal of the access rules, with what was asked of whom (contract §1.3). */
import { AppError } from '../../../src/contract/errors.ts';
import { mayAct } from '../../../src/domain/access/objects.ts';
import type { AccessObject, ObjectAction } from '../../../src/domain/access/objects.ts';

export interface AccessRequest {
  subject: string;
  object: string;
  action: string;
}

/** `forbidden`; carries what was asked, for the answer's body. */
export class AccessRefusal extends AppError {
  readonly access: AccessRequest;

  constructor(access: AccessRequest) {
    super('forbidden', 'unauthorized. Access Denied');
    this.name = 'AccessRefusal';
    this.access = access;
  }
}

/** Throws unless the access is allowed; the answer names subject, object and action in its headers. */
export function refuseUnless(isAllowed: boolean, access: AccessRequest): void {
  if (!isAllowed) throw new AccessRefusal(access);
}

/** Throws unless the one who asks may do this with the object (contract §1.4). */
export function authorize(
  { personId, roles }: { personId: string; roles: readonly string[] },
  object: AccessObject,
  action: ObjectAction,
): void {
  refuseUnless(mayAct(roles, object, action), { subject: personId, object, action });
}
