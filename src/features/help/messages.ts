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
    'Everything on the health screens is kept on this device: the dashboard with its filters, groups and search, the details of checks that were opened, and the recent changes. A reload works as well.',
    'The chip in the top bar says how current the screen is. A striped edge marks what is not.',
    'A check whose next run should have happened counts as unknown, so a board without news never stays green.',
    'Signing in and Run Now need the server, and say so. Nothing is sent later by itself.',
    'Signing out deletes what this device keeps of you, with or without a network.',
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
