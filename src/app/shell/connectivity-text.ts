/** The words of the connectivity chip: how current the screen is, never more than is known. */
import type { Freshness, SyncStatus } from '../../contract/worker.ts';
import { formatClock } from '../../domain/time/format.ts';
import { messages } from '../messages.ts';

const words = messages.connectivity;

export interface ConnectivityText {
  /** `current` is plain, `ageing` is marked, `down` and `stale` can't be overlooked. */
  tone: 'current' | 'ageing' | 'down';
  text: string;
  /** The same where there is little room: the time must not be what is cut off. */
  shortText: string;
  /** Said beside it: how old the data is. */
  asOf: string | null;
}

type Texts = Pick<ConnectivityText, 'text' | 'shortText'>;

const same = (text: string): Texts => ({ text, shortText: text });

function downText(status: SyncStatus, nowMs: number): Texts | null {
  const since = status.downSinceMs === null ? null : formatClock(status.downSinceMs, nowMs);
  if (status.connection === 'offline') return same(since === null ? words.offlineNow : words.offline(since));
  if (status.connection !== 'server-unreachable') return null;
  if (since === null) return same(words.unreachableNow);
  return { text: words.unreachable(since), shortText: words.unreachableShort(since) };
}

/** Why this device doesn't keep what the server says. */
function storageText({ lastError }: SyncStatus): string | null {
  if (lastError?.code === 'quota') return words.storageFull;
  return lastError?.code === 'storage' ? words.storageFailed : null;
}

/** What the chip says at `nowMs`, on the server's clock. */
export function connectivityText(status: SyncStatus, nowMs: number): ConnectivityText {
  const asOf = status.asOfMs === null ? null : words.asOf(formatClock(status.asOfMs, nowMs));
  const down = downText(status, nowMs);
  if (down !== null) return { tone: 'down', ...down, asOf: asOf ?? words.noData };
  const failure = storageText(status);
  if (failure !== null) return { tone: 'down', ...same(failure), asOf };
  if (status.connection === 'connecting') {
    const { firstLoad } = status;
    const text = firstLoad === null ? words.connecting : words.loading(Math.round(firstLoad * 100));
    return { tone: 'ageing', ...same(text), asOf };
  }
  if (status.freshness === 'stale') return { tone: 'down', ...same(words.stale), asOf };
  if (status.freshness === 'ageing') return { tone: 'ageing', ...same(words.ageing), asOf };
  return { tone: 'current', ...same(status.connection === 'live' ? words.live : words.polling), asOf: null };
}

const isDown = ({ connection }: SyncStatus) =>
  connection === 'offline' || connection === 'server-unreachable';

/** True when every screen must say that it shows the past. A start that is still connecting says so itself. */
export function isNotCurrent(status: SyncStatus): boolean {
  return isDown(status) || (status.freshness === 'stale' && status.connection !== 'connecting');
}

/** How fresh the screen may be called: without a way to the server nothing is, however short it has been away. */
export function shownFreshness(status: SyncStatus): Freshness {
  return isDown(status) && status.freshness === 'fresh' ? 'ageing' : status.freshness;
}
