/** Asks the server which commands it has done, for a device that lost its outbox. */
import { errorFacts } from '../../../src/contract/errors.ts';
import { knownCommandsAnswerSchema, MAX_KNOWN_COMMANDS } from '../../../src/contract/sync.ts';
import type { HttpClient } from '../network/http-client.ts';

/** Null from a server that doesn't remember commands. */
export async function findApplied(http: HttpClient, commandIds: readonly string[]): Promise<string[] | null> {
  const applied: string[] = [];
  try {
    for (let at = 0; at < commandIds.length; at += MAX_KNOWN_COMMANDS) {
      const body = { commandIds: commandIds.slice(at, at + MAX_KNOWN_COMMANDS) };
      const answer = await http.json({ path: '/api/sync/commands/known', method: 'POST', body });
      applied.push(...knownCommandsAnswerSchema.parse(answer).applied);
    }
    return applied;
  } catch (error) {
    if (errorFacts(error).code === 'not_found') return null;
    throw error;
  }
}
