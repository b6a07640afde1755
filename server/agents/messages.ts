/** What agents are told that call this server. */
export const MESSAGES = {
  noAgent: 'Only an agent may call this: sign in with the token that was shown when the agent was made',
  notTaken: (tables: readonly string[]) =>
    `This version takes no ${tables.join(', ')} of agents: nothing of the batch was stored`,
  notOffered:
    'Of /upstream this version offers GET and POST ping, POST and DELETE push, GET canary/pull, GET scrapeconfig/pull, GET playbook-action, POST playbook-action/progress, and cluster as a WebSocket',
  kubeconfigOnly:
    'Only the token of a kubeconfig opens clusters: download one from the profile menu, and use it with kubectl',
  noSuchCluster: 'There is no such cluster any more',
  noCluster: (name: string, names: string) =>
    `There is no cluster ${JSON.stringify(name)} here; there is: ${names === '' ? 'none' : names}`,
  whichCluster: (names: string) =>
    names === ''
      ? 'There is no cluster yet: an administrator adds a connection of type Kubernetes, or an agent in a cluster'
      : `The address names no cluster; choose a context of the kubeconfig: ${names}`,
  noAgentCluster: (name: string, names: string) =>
    `There is no agent ${JSON.stringify(name)} here with a cluster; there is: ${names === '' ? 'none' : names}`,
  agentAway: (name: string) =>
    `Agent ${name} is not connected. Only it opens connections to this server: try again once it is back`,
  agentWithoutCluster: (name: string) =>
    `Agent ${name} is connected, but offers no cluster: it is of an older version, was told not to (AGENT_CLUSTER=false), or has neither a service account in a cluster nor KUBECONFIG`,
  agentElsewhere: (name: string, server: string) =>
    `Agent ${name} is connected to another server of this installation (${server}): try again, or ask that one`,
  peerLost: (name: string) =>
    `The server that agent ${name} is connected to does not answer: try again, the agent connects to another one within a minute or so`,
  noPeer:
    'This call does not come from a server of this database: all of them need the same identity.key in DATA_DIR, and an ADVERTISE_URL of their own',
  peerCallOver:
    'A call that another server of this database passed on came twice or late: their clocks may differ by less than half a minute',
  twoPrograms: (name: string, host: string, since: string | null) =>
    `Another program answers the name of agent ${name} already${host === '' ? '' : `, on ${host}`}${since === null ? '' : ` since ${since}`}: this one stands back while that one is there. Stop one of the two, or make an agent of its own for it`,
  secondTold:
    'Another program calls with the token of this agent, and stands back while this one is there: stop it, or make an agent of its own for it',
  lineTaken:
    'Another program with the same token has the line to the cluster of this agent: this one stands back while that one is there',
  lineBroke: 'The line to the agent broke during the call',
  tooManyCalls: (name: string) => `Too many calls to the cluster of agent ${name} at once: end some of them`,
  agentRefused: (name: string) =>
    `The cluster refused the sign-in of agent ${name}: whoever runs the agent has to mend that`,
  webSocketOnly: 'This is for a WebSocket: a front in between has to let upgrades pass',
  notThisCluster: 'This call is not for the cluster of this agent, or not in the name of a person',
  clusterSilent: 'The cluster could not be reached, or did not answer',
  clusterRefused: 'The cluster refused the sign-in of its connection here: an administrator has to mend that',
  notYours: (field: string) => `${field}: is a row of somebody else; nothing of the batch was stored`,
  missingParents: (table: string, count: number, parents: readonly string[]) =>
    `${table}: ${count} of the rows hang on ${parents.join(', ')} that this agent has not pushed: push those first; nothing of the batch was stored`,
  sameName: (detail: string) =>
    `Another row has this name already, nothing of the batch was stored: ${detail}`,
  otherAgent: (name: string, wanted: string) =>
    `UPSTREAM_PASSWORD is the token of agent ${JSON.stringify(name)}, AGENT_NAME says ${JSON.stringify(wanted)}: set one of them right`,
  mayNotPlace: 'agent_id: you may not see agents, so you may not put anything on one',
  outOfRange: (reason: string) => `A value of the batch does not fit its column: ${reason}`,
} as const;
