import { LIVE_QUERIES } from '../../../src/contract/queries/live-queries.ts';
import { openSilenced } from '../silences/silence-views.ts';
import { handleValue } from '../subscriptions/live-handler.ts';

export const query = handleValue(LIVE_QUERIES['live-silenced'], (context, { kind }, listener) =>
  openSilenced(context, kind, listener),
);
