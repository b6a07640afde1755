/** Signing out through the identity's browser flow (contract §2.2). */
import { AppError } from '../../../src/contract/errors.ts';
import type { HttpClient } from '../network/http-client.ts';

const SELF_SERVICE = '/api/.ory/self-service';

/** Ends the session on the server; having none is as good. */
export async function endSession(http: HttpClient): Promise<void> {
  try {
    const answer = await http.json({ path: `${SELF_SERVICE}/logout/browser` });
    const token =
      typeof answer === 'object' && answer !== null && 'logout_token' in answer
        ? String(answer.logout_token)
        : '';
    await http.send({ path: `${SELF_SERVICE}/logout?token=${encodeURIComponent(token)}` });
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthorized') return;
    throw error;
  }
}
