/** What calls about clusters and of agents say. */
export const NO_CLUSTER_PROXY =
  'This server passes no calls on to clusters, so it has no kubeconfig to offer';

/** What agents are told that call this server. */
export const MESSAGES = {
  noAgent: 'Only an agent may call this: sign in with the token that was shown when the agent was made',
  notTaken: (tables: readonly string[]) =>
    `This version takes canaries, checks and check_statuses of agents, but no ${tables.join(', ')}: nothing of the batch was stored`,
  notOffered:
    'Of /upstream this version offers GET and POST ping, POST push (canaries, checks, check_statuses), GET canary/pull and GET scrapeconfig/pull',
  notYours: (field: string) => `${field}: is a row of somebody else; nothing of the batch was stored`,
  missingParents: (table: string, count: number) =>
    `${table}: ${count} of the rows belong to a ${table === 'checks' ? 'canary' : 'check'} that this agent has not pushed: push that first; nothing of the batch was stored`,
  sameName: (detail: string) =>
    `Another row has this name already, nothing of the batch was stored: ${detail}`,
  otherAgent: (name: string, wanted: string) =>
    `UPSTREAM_PASSWORD is the token of agent ${JSON.stringify(name)}, AGENT_NAME says ${JSON.stringify(wanted)}: set one of them right`,
  outOfRange: (reason: string) => `A value of the batch does not fit its column: ${reason}`,
} as const;
