/** What waits in the outbox, in words. */
import type { OutboxCounts, OutboxHeap } from '../../domain/sync/outbox-counts.ts';
import { messages } from '../messages.ts';

const words = messages.outbox;
/** What the user has to look at comes first. */
const HEAPS: readonly OutboxHeap[] = ['refused', 'prepared', 'kept', 'sending'];

/** `1 refused, 2 saved on this device`; leaves out what is empty. */
export function outboxText(counts: OutboxCounts): string {
  const parts = HEAPS.flatMap((heap) => (counts[heap] === 0 ? [] : words.heaps[heap](counts[heap])));
  return parts.length === 0 ? words.nothing : parts.join(', ');
}
