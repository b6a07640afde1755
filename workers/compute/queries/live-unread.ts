import { LIVE_QUERIES } from '../../../src/contract/queries/live-queries.ts';
import { openUnread } from '../inbox/unread-view.ts';
import { handleValue } from '../subscriptions/live-handler.ts';

export const query = handleValue(
  LIVE_QUERIES['live-unread'],
  ({ platform, live, model }, { userId }, listener) =>
    openUnread({ platform, live, nowMs: () => model.nowMs(), userId, listener }),
);
