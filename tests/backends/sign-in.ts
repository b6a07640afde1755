/** For tests: the sign-in page's conversation with the sync worker, without the page. */
import { identityFlowSchema, type IdentityFlow } from '../../src/contract/http/identity/identity-flow.ts';
import type { SyncService } from '../../workers/sync/sync-service.ts';

export interface SignInResult {
  isSignedIn: boolean;
  /** What the form said. */
  messages: string[];
}

const csrfOf = (flow: IdentityFlow) =>
  flow.ui.nodes.find((node) => node.attributes.name === 'csrf_token')?.attributes.value;

/** Opens the form, fills it in, sends it, and begins the session. */
export async function signInAs(
  service: Pick<SyncService, 'identity' | 'checkSession'>,
  credentials: { identifier: string; password: string },
): Promise<SignInResult> {
  const opened = await service.identity.call({ do: 'open', kind: 'login', query: {} });
  if (!opened.ok) return { isSignedIn: false, messages: [opened.error.message] };
  const flow = identityFlowSchema.safeParse(opened.value.body);
  // No form: there is a session already.
  if (flow.success) {
    const body = { ...credentials, method: 'password', csrf_token: csrfOf(flow.data) };
    const sent = await service.identity.call({ do: 'submit', kind: 'login', flowId: flow.data.id, body });
    if (!sent.ok) return { isSignedIn: false, messages: [sent.error.message] };
    const again = identityFlowSchema.safeParse(sent.value.body);
    if (again.success) {
      return { isSignedIn: false, messages: again.data.ui.messages.map((message) => message.text) };
    }
  }
  const checked = await service.checkSession();
  if (!checked.ok) return { isSignedIn: false, messages: [checked.error.message] };
  return { isSignedIn: checked.value, messages: [] };
}
