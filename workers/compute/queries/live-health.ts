import { LIVE_QUERIES } from '../../../src/contract/queries/live-queries.ts';
import { createHealthView } from '../health-view.ts';
import { handleDifferences, updatesOf } from '../subscriptions/live-handler.ts';

export const query = handleDifferences(
  LIVE_QUERIES['live-health'],
  ({ model, onChecks }, asked, listener) => {
    const view = createHealthView({ ...asked, read: (range) => model.read(range), listener });
    return { update: updatesOf(view), close: onChecks(() => view.refresh()) };
  },
);
