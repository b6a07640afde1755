import { LIVE_QUERIES } from '../../../src/contract/queries/live-queries.ts';
import { openPreview } from '../silences/silence-views.ts';
import { handleValue } from '../subscriptions/live-handler.ts';

export const query = handleValue(LIVE_QUERIES['live-silence-preview'], (context, scope, listener) =>
  // It has not begun and does not end: what counts is what it covers, and in which hours.
  openPreview(context, { ...scope, id: '', fromMs: 0, untilMs: Number.MAX_SAFE_INTEGER }, listener),
);
