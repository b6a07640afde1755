/** What notifications say. */
export const MESSAGES = {
  testTitle: 'Holdfast',
  testBody: 'Notifications work on this device',
  needsSession:
    'endpoint: notifications belong to a browser that is signed in; sign in there and switch them on',
  badKey: 'keys.p256dh: is not a key of a browser: switch notifications off and on again',
  unknownEndpoint: 'This browser is not known to the server: switch notifications off and on again',
  badEndpoint: 'endpoint: is not the address of a push service that this server may call',
  unknownMessage: 'This was not sent to you, or it is forgotten by now',
  testFailed: 'The message could not be delivered: switch notifications off and on again, or try later',
  pushRefused: (status: number) => `The push service refused it (${status})`,
  pushAway: 'The push service could not be reached',
  noBrowser: 'No browser of the person takes notifications any more',
} as const;
