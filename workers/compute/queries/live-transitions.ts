import { LIVE_QUERIES } from '../../../src/contract/queries/live-queries.ts';
import { watchValue } from '../subscriptions/watch-value.ts';
import { handleValue } from '../subscriptions/live-handler.ts';
import { transitionsOf } from '../transitions.ts';

export const query = handleValue(LIVE_QUERIES['live-transitions'], ({ model, onChecks }, asked, listener) => {
  const read = () => transitionsOf(model.index.entries(), { ...asked, nowMs: model.nowMs() });
  return onChecks(watchValue(read, listener));
});
