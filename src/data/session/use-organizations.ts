/** The organisations of whoever is signed in (hosted mode), asked anew each time somebody looks: never kept. */
import { useCallback, useEffect, useState } from 'react';
import type { ErrorFacts } from '../../contract/errors.ts';
import type { IdentityAnswer } from '../../contract/http/identity/identity-flow.ts';
import { organizationsSchema, type Organization } from '../../contract/http/identity/organizations.ts';
import { callIdentity } from '../commands/commands.ts';
import type { Answer } from '../../contract/queries/queries.ts';

export interface OrganizationsState {
  /** null until they are known. */
  organizations: Organization[] | null;
  /** Id of the one that the session works in. */
  active: string | null;
  error: ErrorFacts | null;
}

const NOT_YET: OrganizationsState = { organizations: null, active: null, error: null };

function messageIn(body: unknown): string {
  const isTold = typeof body === 'object' && body !== null && 'error' in body;
  return isTold && typeof body.error === 'string' ? body.error : '';
}

/** The failure in an answer, if it is one: refusals come as answers, too. */
function failureIn(answer: Answer<IdentityAnswer>): ErrorFacts | null {
  if (!answer.ok) return answer.error;
  const { status, body } = answer.value;
  if (status < 300) return null;
  return { code: 'invalid', message: messageIn(body), retryable: false, status };
}

async function ask(): Promise<OrganizationsState> {
  const answer = await callIdentity({ do: 'organizations' });
  const error = failureIn(answer);
  if (!answer.ok || error !== null) return { ...NOT_YET, error };
  const parsed = organizationsSchema.safeParse(answer.value.body);
  if (parsed.success) return { ...parsed.data, error: null };
  return { ...NOT_YET, error: { code: 'bad_payload', message: '', retryable: true, status: 200 } };
}

/** Asks when it appears, and when `retry` is called. */
export function useOrganizations(): OrganizationsState & { retry: () => void } {
  const [state, setState] = useState(NOT_YET);
  const [attempt, setAttempt] = useState(1);
  useEffect(() => {
    let isWanted = true;
    void ask().then((found) => {
      if (isWanted) setState(found);
    });
    return () => {
      isWanted = false;
    };
  }, [attempt]);
  const retry = useCallback(() => {
    setState(NOT_YET);
    setAttempt((before) => before + 1);
  }, []);
  return { ...state, retry };
}

/** Makes the session work in that organisation; answers why it doesn't. Until then, nobody is shown as signed in. */
export async function selectOrganization(organizationId: string): Promise<ErrorFacts | null> {
  return failureIn(await callIdentity({ do: 'select-organization', organizationId }));
}

/** Makes an organisation and lets the session work in it; answers why it wasn't made. */
export async function createOrganization(name: string): Promise<ErrorFacts | null> {
  return failureIn(await callIdentity({ do: 'create-organization', name }));
}
