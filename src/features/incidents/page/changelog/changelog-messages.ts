/** What the changelog says: the eight events of spec 3 §2, and what frames them. */
export const messages = {
  none: 'No changelog found',
  loading: 'Loading the changelog …',
  by: 'by',
  somebody: 'somebody',
  gone: {
    responder: 'somebody who no longer responds',
    evidence: 'evidence that was deleted',
    comment: 'a comment that was deleted',
    hypothesis: 'a hypothesis that was deleted',
  },
  events: {
    'incident.created': () => 'Incident created',
    'incident.status_updated': (word: string) => `Status changed to ${word}`,
    'responder.created': () => 'Responder added',
    'evidence.created': () => 'Evidence added',
    'evidence.done_definition_added': () => 'Evidence became part of the definition of done',
    'responder.commented': () => 'Responder commented',
    'hypothesis.created': () => 'Hypothesis created',
    'hypothesis.status_updated': (word: string) => `Hypothesis became ${word}`,
  } as Readonly<Record<string, (word: string) => string>>,
} as const;
