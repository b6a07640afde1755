/** What a page asks the service worker: how much of the app it has cached. The answer is a number, 0 to 1. */
export const PROGRESS_QUESTION = 'OFFLINE_PROGRESS';
