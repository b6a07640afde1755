/**
 * Which program calls with an agent's token: of a token that two programs were given, both would answer the agent's
 * name. Agents of other implementations and of older versions do not say.
 */
import type { IncomingHttpHeaders } from 'node:http';

/** Headers of what an agent asks upstream: which program it is, and the machine that it runs on. */
const PROGRAM = 'holdfast-program';
const PROGRAM_HOST = 'holdfast-program-host';

export interface AgentProgram {
  /** New with each start. */
  id: string;
  host: string;
}

const ID = /^[\w-]{1,64}$/;
const MAX_HOST = 200;

/** Null where it does not say. */
export function programOf({ headers }: { headers: IncomingHttpHeaders }): AgentProgram | null {
  const { [PROGRAM]: id, [PROGRAM_HOST]: host } = headers;
  if (typeof id !== 'string' || !ID.test(id)) return null;
  return { id, host: typeof host === 'string' ? host.slice(0, MAX_HOST) : '' };
}

/** How a program says which it is. */
export const programHeaders = ({ id, host }: AgentProgram): Record<string, string> => ({
  [PROGRAM]: id,
  [PROGRAM_HOST]: host,
});
