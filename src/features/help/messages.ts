/** Everything that the help page and the cheat sheet say. */
export const messages = {
  title: 'Help',
  shortcuts: 'Keyboard',
  keys: [
    { keys: ['/'], does: 'Search checks' },
    { keys: ['↑', '↓'], does: 'Move through the list' },
    { keys: ['Enter'], does: 'Open the check, or open and close the group' },
    { keys: ['→', '←'], does: 'Open and close the group' },
    { keys: ['Home', 'End'], does: 'First and last row' },
    { keys: ['Esc'], does: 'Close what is open, or empty the search' },
    { keys: ['?'], does: 'Show these keys' },
  ],
  marks: 'What the marks mean',
  markTexts: [
    { state: 'healthy', text: 'Healthy: the last run passed, and the next one is not overdue.' },
    { state: 'unhealthy', text: 'Unhealthy: the last run failed.' },
    {
      state: 'warning',
      text: 'Mixed: a group with healthy and other checks, or a canary that could not be loaded.',
    },
    {
      state: 'unknown',
      text: 'Unknown: never run, or overdue. What it was last is said beside it. Hide Passing never hides it.',
    },
  ],
  offline: 'Without a network',
  offlineTexts: [
    'The health screens and the incidents are kept on this device: the dashboard with its filters, groups and search, the details of checks that were opened, the recent changes. A reload works as well.',
    'The chip in the top bar says how current the screen is. A striped edge and a line above the page mark what is not.',
    'A check whose next run should have happened counts as unknown, so a board without news never stays green.',
    'Incidents can be created, changed and discussed. What you do is kept in the outbox and sent by itself as soon as the server can be reached, once.',
    'An open ring marks what only this device knows, a half-filled one what is being sent. What the server refuses waits in the outbox with both values, to be redone, copied or dropped.',
    'Signing in and Run Now need the server, and say so. A check is never run late.',
    'Signing out deletes what this device keeps of you, with or without a network. It asks first when something was not sent.',
  ],
  catalog: 'The catalog',
  catalogTexts: [
    'The catalog opens as a summary by provider and type. Press a group to list it, pin a type to keep it on top, or type: the search looks at names, types, tags, labels, status, descriptions and external ids, best match first.',
    'A filter value is taken in with one press and left out with the next. What you see is in the address: send it, and the other side sees the same.',
    'Every live item, its relationships, the open insights and the changes of 7 days are on this device. Bodies and diffs are, once they were opened. What comes from the server says so, with its time.',
    'In the graph, arrows move along the lines, Enter opens an item, Space opens and closes a group. The table beside it says the same in rows.',
    'An item that its scraper has not seen for an hour is marked stale; one that is gone is marked deleted, and its health is the last one known.',
  ],
  agent: 'Installing an agent',
  agentTexts: [
    'An agent runs in a cluster or network that this server does not reach, and reports what it finds there. Add one under Settings, Agents; you need the right to write agents.',
    'The access token of a new agent is shown once, with the commands that install the agent. Copy and store it then: it cannot be shown again.',
    'A minute after it started, the agent counts as online, and what it finds carries its name.',
  ],
  kubeconfig: 'The kubeconfig file',
  kubeconfigTexts: [
    'The profile menu offers a kubeconfig file to those who may use the clusters behind this server. Each download makes a new access token.',
    'Use it with kubectl --kubeconfig <file>, or add its path to the KUBECONFIG variable. Whoever has the file can act as you.',
  ],
  chip: 'What the chip says',
  chipTexts: [
    { name: 'Live', text: 'Changes show within a second.' },
    { name: 'Polling', text: 'Connected, but without the event stream: as fresh as the refresh rate.' },
    { name: 'Ageing, Stale', text: 'Two, three heartbeats of the server are missing.' },
    { name: 'Offline since …', text: 'No network. Everything shown is what was known at the time named.' },
    { name: 'Server unreachable since …', text: 'There is a network, but no answer.' },
  ],
} as const;
