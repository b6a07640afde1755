/** `POST /agent/generate`: an agent with the token it signs in with, which is told only here (schema §8.1). */
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../src/contract/errors.ts';
import { generateAgentSchema } from '../../src/contract/http/identity/users.ts';
import { DatabaseError, UNIQUE_VIOLATION } from '../platform/db/database-error.ts';
import { insertAgent, removeNewAgent } from '../access/people/people-query.ts';
import type { NewAgent } from '../access/people/people-query.ts';
import { authorize } from '../access/policies/refuse-unless.ts';
import { parse } from '../platform/http/parse.ts';
import type { RouteContext } from '../access/request/route-context.ts';
import type { Database } from '../platform/db/database.ts';
import type { AccessTokens } from '../access/identity/sessions/access-tokens.ts';

interface AgentParts {
  db: Database;
  accessTokens: Pick<AccessTokens, 'create'>;
  notify: (table: string) => void;
}

const TOKEN_LIFE_MS = 365 * 86_400_000;
const USERNAME_BYTES = 8;

async function storeAgent({ db }: Pick<AgentParts, 'db'>, agent: NewAgent): Promise<void> {
  try {
    await db.transaction((tx) => insertAgent(tx, agent));
  } catch (error) {
    const isTaken = error instanceof DatabaseError && error.sqlState === UNIQUE_VIOLATION;
    if (!isTaken) throw error;
    throw new AppError('conflict', `name: there is already an agent ${agent.name}: choose another name`, {
      cause: error,
    });
  }
}

/** `/api/agent/generate`. */
export function registerAgentRoutes(app: FastifyInstance, context: RouteContext<AgentParts>): void {
  app.post('/api/agent/generate', async (request, reply) => {
    const principal = await context.authenticate(request);
    authorize(principal, 'agent', 'update');
    const { name, properties } = parse(generateAgentSchema, request.body ?? {});
    const { platform } = context;
    const backend = context.backend();
    const agent: NewAgent = {
      id: platform.newId(),
      personId: platform.newId(),
      name,
      username: `agent-${platform.secret(USERNAME_BYTES)}`,
      properties: { ...properties, type: 'agent' },
      createdBy: principal.personId,
    };
    await storeAgent(backend, agent);
    try {
      const { personId, username } = agent;
      const expiresAt = new Date(platform.now() + TOKEN_LIFE_MS);
      const token = await backend.accessTokens.create({ personId, name: username, expiresAt });
      return await reply.code(201).send({ id: personId, username, access_token: token });
    } catch (error) {
      // Without its token it could never come in, and would only hold the name.
      await backend.db.transaction((tx) => removeNewAgent(tx, agent));
      throw error;
    } finally {
      backend.notify('agents');
    }
  });
}
