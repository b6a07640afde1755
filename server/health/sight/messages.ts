/** Why checks are unknown that nobody could see. */
export const MESSAGES = {
  noNetwork: (since: string) => `unknown since ${since}: this server is cut off from its network`,
  noProbe: (probes: string, since: string) => `unknown since ${since}: this server reaches none of ${probes}`,
  agentSilent: (name: string, since: string) => `unknown since ${since}: the agent ${name} is silent`,
  gap: (since: string, until: string) =>
    `The server saw nothing from ${since} to ${until}: its machine slept, it was stopped, or its clock was put forward`,
  setBack: (seconds: number) => `The clock of the server was put back by ${seconds} s`,
  duringGap: (since: string) => `unknown since ${since}: the server was stopped while it looked`,
} as const;
