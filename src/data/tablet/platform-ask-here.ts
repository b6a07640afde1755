import { tabletHereSchema } from '../../contract/http/tablets.ts';

/** Whether the server says that this browser is no shared tablet any more; false without an answer. */
export async function isRevoked(): Promise<boolean> {
  try {
    const answer = await fetch('/api/tablets/here', { headers: { accept: 'application/json' } });
    return answer.ok && tabletHereSchema.parse(await answer.json()).tablet === null;
  } catch {
    // No line: it is asked again when the tablet is locked next.
    return false;
  }
}
