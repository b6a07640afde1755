import { errorText } from '../contract/errors.ts';

/** Everything that the shell and the gate say. */
export const messages = {
  warning: 'Warning',
  demo: {
    tag: 'Demo data',
    hint: 'A made-up company. “npm run demo:remove” takes it away.',
  },
  product: 'Holdfast',
  skipToContent: 'Skip to content',
  skipToList: 'Jump to the list',
  gate: {
    starting: 'Starting …',
    provisioning: 'Please wait, instance provisioning in-progress ...',
    failed: 'The session could not be checked',
    goBack: 'Go back',
    retry: 'Retry',
    badSession:
      'Bad Session. Please try logging out and logging in again, if the problem persist, please contact us.',
    unknownError: 'Unknown error',
    errorTitle: 'Something went wrong',
    unauthorized: 'Unauthorized',
    unauthorizedHint: 'You do not have permission to access this page.',
    flags: 'Loading …',
    disabled: (title: string) => `${title} is switched off`,
    disabledHint: 'An administrator has disabled this feature here. Its data is kept.',
    flowFailed: 'An error occurred',
    crashed: 'Sorry.. there was an error.',
    partMissingHint:
      'A file of it could not be loaded from the server. The page opens as soon as the server can be reached, and works offline from then on.',
    notFound: 'There is no such page',
    notFoundHint: 'The link may be old, or the page may have moved.',
    unknownType: 'Unknown type',
    unknownTypeHint: 'Integrations are scrapers, topologies and log backends.',
    toIntegrations: 'To the integrations',
    errorText,
  },
  wall: 'Wall',
  nav: {
    label: 'Main',
    open: 'Open menu',
    collapse: 'Collapse sidebar',
    expand: 'Expand sidebar',
    settings: 'Settings',
  },
  top: {
    refresh: 'Refresh',
    refreshing: 'Refreshing',
    docs: 'Docs',
    helpPage: 'How Holdfast works',
    agentHelp: 'Installing an agent',
    shortcuts: 'Keyboard shortcuts',
    profile: (name: string) => `Profile of ${name}`,
    greeting: (name: string) => `Hello, ${name}`,
    theme: 'Theme',
    themes: { auto: 'As the system', light: 'Light', dark: 'Dark' },
    density: 'Density',
    densities: { compact: 'Compact', comfortable: 'Comfortable' },
    install: 'Install the app',
    versions: (app: string, server: string | null) =>
      `Frontend ${app} · backend ${server ?? 'not known yet'}`,
    profileSettings: 'Profile settings',
    kubeconfig: 'Download kubeconfig',
    storage: 'Storage and sync',
    signOut: 'Sign out',
  },
  kubeconfig: {
    title: 'Download kubeconfig',
    what: 'A kubeconfig file lets kubectl reach the clusters behind this server, with your rights.',
    secret:
      'It holds an access token that opens those clusters in your name: keep it to yourself. It ends after a day (or 7 or 30, as you choose), with the next download and with a change of your password; your profile settings list and end it.',
    download: 'Make a kubeconfig file',
    use: 'Then point kubectl at the file:',
    command: (file: string) => `kubectl --kubeconfig ~/Downloads/${file} get pods --all-namespaces`,
    docs: 'More about the kubeconfig file',
    offline: 'There is no connection to the server: the file is made there, when it is asked for.',
  },
  connectivity: {
    worksOfflineName: 'Works offline',
    worksOffline: (
      found:
        | { kind: 'ready' | 'unavailable' | 'failed' }
        | { kind: 'loading'; part: number; hasMenuPages: boolean; isStorageFull: boolean },
    ) => {
      switch (found.kind) {
        case 'ready':
          return 'Yes';
        case 'unavailable':
          return 'No: this browser does not keep the app here';
        case 'failed':
          return 'No: the app could not be stored here. It is tried again';
        case 'loading': {
          const part = `${Math.floor(found.part * 100)} %`;
          if (found.isStorageFull) return `${part}: there is no room for the rest. It is tried again`;
          return found.hasMenuPages ? `${part}: the pages of the menu open, the rest is loading` : part;
        }
      }
    },
    connecting: 'Connecting …',
    loading: (percent: number) => `Loading … ${percent} %`,
    live: 'Live',
    polling: 'Polling',
    ageing: 'Ageing',
    stale: 'Stale',
    offline: (clock: string) => `Offline since ${clock}`,
    offlineNow: 'Offline',
    unreachable: (clock: string) => `Server unreachable since ${clock}`,
    unreachableShort: (clock: string) => `Unreachable since ${clock}`,
    unreachableNow: 'Server unreachable',
    storageFull: 'Out of storage space',
    storageFailed: 'Storage error',
    asOf: (clock: string) => `data as of ${clock}`,
    noData: 'first load not finished',
    details: 'Connection',
    state: 'Connection',
    dataAsOf: 'Data as of',
    age: (clock: string, age: string) => `${clock}, ${age} ago`,
    freshness: { fresh: 'Fresh', ageing: 'Ageing', stale: 'Stale' },
    freshnessName: 'Freshness',
    lastError: 'Last error',
    clock: 'Clock of this device',
    clockOff: (span: string, isBehind: boolean) => `${span} ${isBehind ? 'behind' : 'ahead of'} the server`,
    firstLoad: 'First load',
    firstLoadPart: (percent: number) => `${percent} % loaded`,
    outbox: 'Waiting to be sent',
    storage: 'What this device keeps',
    tryNow: 'Retry',
    notCurrent: 'Not current',
    notCurrentAge: (clock: string, age: string) =>
      `This is what was known at ${clock}, ${age} ago. Changes since then are not shown.`,
    notCurrentEmpty: 'The first load is not finished: what is missing here comes from the server.',
  },
  outbox: {
    nothing: 'nothing',
    heaps: {
      kept: (count: number) => `${count} saved on this device`,
      sending: (count: number) => `${count} sending`,
      refused: (count: number) => `${count} refused`,
      prepared: (count: number) => `${count} to confirm`,
    },
    lost: (count: number) => `${count} lost before they were sent`,
    badge: (text: string) => `Outbox: ${text}`,
  },
  signOut: {
    title: 'Sign out',
    waiting: (text: string) => `Not everything has been done on the server yet: ${text}.`,
    howNow: 'Signing out deletes what this device keeps of you. What should happen to unsent changes?',
    sendNow: 'Send now, then sign out',
    sending: 'Sending, then you are signed out …',
    cannotSend: 'It cannot be sent now: there is no connection to the server.',
    refusedStay: 'What was refused cannot be sent as it is. Keep or discard it, or look at it in the outbox.',
    keep: 'Keep it sealed on this device',
    keepHint: 'Only you can see and send it, after signing in here again.',
    discard: 'Discard it',
    discardAgain: 'Discard it for good?',
    look: 'Look at the outbox',
    drafts: (count: number) =>
      count === 1
        ? 'One text that you began is not sent. Signing out deletes it from this device.'
        : `${count} texts that you began are not sent. Signing out deletes them from this device.`,
    leaveDrafts: 'Delete and sign out',
    cancel: 'Cancel',
  },
  update: {
    ready: 'A new version is ready',
    unsaved: 'Send or clear what you are writing first: a reload would lose it',
    reload: 'Reload',
    later: 'Later',
  },
} as const;
