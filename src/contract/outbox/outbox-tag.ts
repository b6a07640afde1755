// Alone in its file: the page needs it before anything else, and must not load the schemas' library for it.
/** Under this name the browser is asked to wake the service worker when there is a network. */
export const OUTBOX_SYNC_TAG = 'outbox';
