/** What the details of the connection say. */
export const messages = {
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
} as const;
