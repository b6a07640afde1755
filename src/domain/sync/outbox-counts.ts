/** What waits on a device, in the three heaps that people are shown (design §4 laws 4 to 6). */

/** kept: only on this device; sending: may have arrived; refused and prepared: wait for the user. */
export type OutboxHeap = 'kept' | 'sending' | 'refused' | 'prepared';

interface WaitingItem {
  state: { kind: 'kept' | 'sent' | 'accepted' | 'refused'; mayHaveArrived?: true | undefined; code?: string };
}

/** The heap that an item belongs to. What may have arrived is never said to be on this device only. */
export function heapOf({ state }: WaitingItem): OutboxHeap {
  switch (state.kind) {
    case 'kept':
      return state.mayHaveArrived === true ? 'sending' : 'kept';
    case 'sent':
    case 'accepted':
      return 'sending';
    case 'refused':
      return state.code === 'unconfirmed' ? 'prepared' : 'refused';
  }
}

export type OutboxCounts = Readonly<Record<OutboxHeap, number>>;

/** How many items are in each heap. */
export function outboxCounts(items: readonly WaitingItem[]): OutboxCounts {
  const counts = { kept: 0, sending: 0, refused: 0, prepared: 0 };
  for (const item of items) counts[heapOf(item)] += 1;
  return counts;
}
