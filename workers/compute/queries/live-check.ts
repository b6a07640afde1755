import { LIVE_QUERIES } from '../../../src/contract/queries/live-queries.ts';
import { watchValue } from '../subscriptions/watch-value.ts';
import { handleValue } from '../subscriptions/live-handler.ts';

export const query = handleValue(LIVE_QUERIES['live-check'], ({ model, onChecks }, { checkId }, listener) => {
  const read = () => {
    const entry = model.index.get(checkId);
    if (entry !== null) return { check: entry.check, health: entry.health };
    // Of a store that is still read nobody knows what it has not.
    return model.isLoaded() ? null : undefined;
  };
  return onChecks(watchValue(read, listener));
});
