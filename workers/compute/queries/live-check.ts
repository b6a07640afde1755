import { LIVE_QUERIES } from '../../../src/contract/queries/live-queries.ts';
import { watchValue } from '../subscriptions/watch-value.ts';
import { handleValue } from '../subscriptions/live-handler.ts';

export const query = handleValue(LIVE_QUERIES['live-check'], ({ model, onChecks }, { checkId }, listener) => {
  const read = () => {
    const entry = model.index.get(checkId);
    return entry === null ? null : { check: entry.check, health: entry.health };
  };
  return onChecks(watchValue(read, listener));
});
