/** What the identity pages ask the server (contract §2.2): nothing of it is kept here, queued, or tried again. */
import {
  identityRequestSchema,
  type IdentityAnswer,
  type IdentityRequest,
} from '../../../src/contract/http/identity/identity-flow.ts';
import type { FlowError } from '../../../src/contract/http/shell.ts';
import type { PushCall } from '../../../src/contract/push.ts';
import type { Answer } from '../../../src/contract/queries/queries.ts';
import { readFlowError } from './flow-error.ts';
import { HttpFailure, type HttpClient, type HttpRequest } from '../network/http-client.ts';
import type { Reach, ReachCall } from '../../../src/contract/http/reach.ts';
import { callReach } from '../actions/reach-calls.ts';
import { callPush } from '../actions/push-calls.ts';
import type { Session } from './session.ts';
import { settle } from '../../act.ts';

const ORY = '/api/.ory';
const TOKENS = '/api/identity/tokens';
const ORGANIZATIONS = '/api/auth/organizations';

function requestOf(asked: IdentityRequest): HttpRequest {
  switch (asked.do) {
    case 'open': {
      const query = new URLSearchParams(asked.query).toString();
      return { path: `${ORY}/self-service/${asked.kind}/browser${query === '' ? '' : `?${query}`}` };
    }
    case 'read':
      return { path: `${ORY}/self-service/${asked.kind}/flows?id=${encodeURIComponent(asked.flowId)}` };
    case 'submit':
      return {
        path: `${ORY}/self-service/${asked.kind}?flow=${encodeURIComponent(asked.flowId)}`,
        method: 'POST',
        body: asked.body,
      };
    case 'sessions':
      return { path: `${ORY}/sessions` };
    case 'revoke': {
      const one = asked.sessionId === null ? '' : `/${encodeURIComponent(asked.sessionId)}`;
      return { path: `${ORY}/sessions${one}`, method: 'DELETE' };
    }
    case 'tokens':
      return { path: TOKENS };
    case 'end-token':
      return { path: `${TOKENS}/${encodeURIComponent(asked.tokenId)}`, method: 'DELETE' };
    case 'start-pairing':
      return { path: '/api/walls/pairings', method: 'POST', body: {} };
    case 'claim-pairing':
      return { path: '/api/walls/pairings/claim', method: 'POST', body: { secret: asked.secret } };
    case 'options':
      return { path: '/api/identity/options' };
    case 'organizations':
      return { path: ORGANIZATIONS };
    case 'create-organization':
      return { path: ORGANIZATIONS, method: 'POST', body: { name: asked.name } };
    case 'select-organization':
      return { path: `${ORGANIZATIONS}/${encodeURIComponent(asked.organizationId)}/select`, method: 'POST' };
    case 'error':
      return { path: `${ORY}/self-service/errors?id=${encodeURIComponent(asked.id)}` };
  }
}

function parseBody(text: string): unknown {
  return text === '' ? null : (JSON.parse(text) as unknown);
}

/** The answer, also when it is a refusal; throws when there was none, or the server failed. */
async function callIdentity(http: HttpClient, request: IdentityRequest): Promise<IdentityAnswer> {
  const asked = identityRequestSchema.parse(request);
  try {
    const answer = await http.send(requestOf(asked));
    return { status: answer.status, body: parseBody(answer.text) };
  } catch (error) {
    const isRefusal = error instanceof HttpFailure && error.status !== null && error.status < 500;
    if (!isRefusal || error.code === 'rate_limited') throw error;
    return { status: error.status ?? 400, body: error.body };
  }
}

/** The identity pages' way to the server and to the session that they begin or raise. */
export class IdentityEndpoints {
  private readonly http: HttpClient;
  private readonly session: Session;

  constructor(http: HttpClient, session: Session) {
    this.http = http;
    this.session = session;
  }

  /** A sign-out that the server wasn't told of is told first, so that no old session meets a new sign-in. */
  call(request: IdentityRequest): Promise<Answer<IdentityAnswer>> {
    return settle(async () => {
      await this.session.reportLogout();
      const ask = () => this.session.cookies.during(() => callIdentity(this.http, request));
      const switchesOrganization =
        request.do === 'create-organization' || request.do === 'select-organization';
      return switchesOrganization ? this.session.switchOrganization(ask) : ask();
    });
  }

  /** Notifications of this browser, which belong to the session. */
  push(call: PushCall): Promise<Answer<string | null>> {
    return settle(() => callPush(this.http, call));
  }

  /** How the signed-in person is reached. */
  reach(call: ReachCall): Promise<Answer<Reach>> {
    return settle(() => callReach(this.http, call));
  }

  /** Why an identity flow failed. */
  flowError(id: string): Promise<Answer<FlowError>> {
    return settle(() => readFlowError(this.http, id));
  }
}
