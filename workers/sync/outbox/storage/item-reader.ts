/**
 * Reads stored items again and again, as every step of sending does, without parsing what it parsed before: of ten thousand
 * items that was most of the time. Of an item only its state and its failures change after it was written; whatever else
 * stands there under its number is another item, and parsed.
 */
import { isRecord } from '../../../../src/lib/is-record.ts';
import { ITEM_VERSION, readStoredItem, type ReadItem } from './stored-item.ts';

type State = ReadItem['item']['state'];

/** Enough to tell two states of one item from each other; a refusal is parsed each time, there are few. */
function isSameState(state: State, raw: unknown): boolean {
  if (!isRecord(raw) || raw['kind'] !== state.kind) return false;
  switch (state.kind) {
    case 'kept':
      return raw['mayHaveArrived'] === state.mayHaveArrived;
    case 'sent':
      return raw['seq'] === state.seq;
    case 'accepted':
    case 'refused':
      return false;
  }
}

/** One for an open database. */
export class ItemReader {
  private readonly known = new Map<unknown, ReadItem>();

  read(raw: unknown): ReadItem {
    const order = isRecord(raw) ? raw['order'] : undefined;
    const before = this.known.get(order);
    if (before !== undefined && isRecord(raw) && isAsBefore(before, raw)) return before;
    const read = readStoredItem(raw);
    const isWaiting = read.item.state.kind === 'kept' || read.item.state.kind === 'sent';
    if (read.isReadable && !read.isOld && isWaiting) this.known.set(order, read);
    else this.known.delete(order);
    return read;
  }
}

function isAsBefore({ item }: ReadItem, raw: Readonly<Record<string, unknown>>): boolean {
  return (
    raw['commandId'] === item.commandId &&
    raw['itemVersion'] === ITEM_VERSION &&
    raw['failures'] === item.failures &&
    isSameState(item.state, raw['state'])
  );
}
