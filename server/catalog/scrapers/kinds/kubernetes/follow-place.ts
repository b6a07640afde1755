/**
 * Follows the objects of one place of a cluster for as long as its signal lets it: a list, then a watch from the list's
 * version on. A watch that ends goes on where it was; one whose version the cluster has forgotten (410) begins with a list
 * again. Invariant: between two lists nothing is missed, and what a list no longer has is told as gone.
 */
import { AppError } from '../../../../../src/contract/errors.ts';
import { requestThroughGuard } from '../../../../platform/egress/egress-http.ts';
import type { Platform } from '../../../../platform/platform.ts';
import { reasonOf } from '../../../../platform/reason-of.ts';
import { objectAt, textOf } from '../../health/health.ts';
import type { Json } from '../../health/health.ts';
import type { CallContext } from '../services/service-call.ts';
import { refusalOf } from '../services/service-call.ts';
import type { Cluster } from './kube-config.ts';
import { namedObject, objectPages } from './list-objects.ts';
import type { ObjectPlace } from './list-objects.ts';
import { createEventReader } from './watch-events.ts';
import type { WatchEvent } from './watch-events.ts';

/** A watch is asked to end after this; the cluster may end it sooner. */
const WATCH_S = 290;
/** A line that went silent is given up after this. */
const SILENT_MS = (WATCH_S + 20) * 1000;
const FIRST_DELAY_MS = 500;
const LAST_DELAY_MS = 60_000;
/** A watch that lived so long was a good one, even if nothing happened. */
const GOOD_AFTER_MS = 5000;
const GONE = 410;

/** Who is told. */
export interface PlaceSink {
  put: (object: Json, about: { isGone: boolean; bytes: number }) => void;
  /** Until there is room for more. */
  room: (signal: AbortSignal) => Promise<void>;
  /** A list is over; the uids of all it had. */
  listed: (place: ObjectPlace, uids: ReadonlySet<string>) => Promise<void>;
  /** How it goes: null is well. */
  tell: (place: ObjectPlace, problem: string | null) => void;
}

export interface FollowDeps {
  /** The cluster with credentials as they are now. */
  cluster: () => Promise<Cluster>;
  context: Omit<CallContext, 'signal'>;
  platform: Pick<Platform, 'now' | 'sleep' | 'random'>;
  sink: PlaceSink;
}

const uidOf = (object: Json): string => textOf(objectAt(object, 'metadata')['uid']);
const versionOf = (object: Json): string => textOf(objectAt(object, 'metadata')['resourceVersion']);
const isForgotten = (error: unknown): boolean => error instanceof AppError && error.status === GONE;

/** Everything that is there; answers the version that a watch goes on from. */
async function list(place: ObjectPlace, deps: FollowDeps, signal: AbortSignal): Promise<string> {
  const { sink } = deps;
  const uids = new Set<string>();
  let version = '';
  for await (const page of objectPages(await deps.cluster(), place)) {
    signal.throwIfAborted();
    // Of the first page: later ones may be newer, and what changed in an earlier page meanwhile is told once more.
    version ||= page.resourceVersion;
    for (const object of page.objects) {
      uids.add(uidOf(object));
      // How long it was on the wire isn't known of one in a list; most are shorter.
      sink.put(object, { isGone: false, bytes: 8192 });
    }
    await sink.room(signal);
  }
  await sink.listed(place, uids);
  return version;
}

/** What a watch has come to. */
interface Watched {
  version: string;
  isForgotten: boolean;
  hasHeard: boolean;
}

/** The cluster's own word about a watch, as an error. */
function refusedBy(object: Json): AppError {
  const code = object['code'];
  return refusalOf('watch', typeof code === 'number' ? code : 500, textOf(object['reason']));
}

/** One watch until it ends; `state` is kept up to date, so that nothing is heard twice after one that broke. */
async function watch(place: ObjectPlace, deps: FollowDeps, given: { state: Watched; signal: AbortSignal }) {
  const { state, signal } = given;
  const { sink, context } = deps;
  const cluster = await deps.cluster();
  const url = new URL(`${cluster.server}${place.path}`);
  const query = { ...place.query, watch: '1', allowWatchBookmarks: 'true', timeoutSeconds: String(WATCH_S) };
  for (const [name, value] of Object.entries({ ...query, resourceVersion: state.version }))
    url.searchParams.set(name, value);
  const read = createEventReader();
  const hear = ({ type, object }: WatchEvent, bytes: number) => {
    if (type === 'ERROR') throw refusedBy(object);
    state.version = versionOf(object) || state.version;
    state.hasHeard = true;
    if (type === 'BOOKMARK') return;
    sink.put(namedObject(object, place.resource), { isGone: type === 'DELETED', bytes });
  };
  const answer = await requestThroughGuard(context.guard, context.trust, {
    signal,
    request: {
      method: 'GET',
      url,
      headers: cluster.headers,
      body: null,
      tls: cluster.tls,
      timeoutMs: SILENT_MS,
      maxRedirects: 0,
      maxBodyBytes: 0,
      isStreamed: true,
      onData: async (part, statusCode) => {
        if (statusCode !== 200) return;
        sink.tell(place, null);
        const events = read(part);
        for (const event of events) hear(event, part.length / events.length);
        await sink.room(signal);
      },
    },
  });
  if (answer.statusCode !== 200) throw refusalOf(place.path, answer.statusCode);
}

async function watchOnce(
  place: ObjectPlace,
  deps: FollowDeps,
  given: { version: string; signal: AbortSignal },
): Promise<Watched> {
  const state: Watched = { version: given.version, isForgotten: false, hasHeard: false };
  const startedMs = deps.platform.now();
  try {
    await watch(place, deps, { state, signal: given.signal });
  } catch (error) {
    if (isForgotten(error)) state.isForgotten = true;
    // One that ended on its way is no news, if it was one.
    else if (!state.hasHeard) throw error;
  }
  state.hasHeard ||= deps.platform.now() - startedMs > GOOD_AFTER_MS;
  return state;
}

/** See the head of this file; resolves when the signal aborts. */
export async function followPlace(place: ObjectPlace, deps: FollowDeps, signal: AbortSignal): Promise<void> {
  const { platform, sink } = deps;
  let version: string | null = null;
  let failures = 0;
  while (!signal.aborted) {
    try {
      if (version === null) {
        version = await list(place, deps, signal);
        sink.tell(place, null);
      }
      const watched: Watched = await watchOnce(place, deps, { version, signal });
      version = watched.isForgotten ? null : watched.version;
      failures = watched.hasHeard ? 0 : failures + 1;
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      // A list whose pages were forgotten begins anew; a watch that failed goes on where it was.
      sink.tell(place, `${place.resource.plural}: ${reasonOf(error)}`);
    }
    const delayMs = Math.min(FIRST_DELAY_MS * 2 ** Math.min(failures, 10), LAST_DELAY_MS);
    if (failures > 0) await platform.sleep(delayMs * (0.5 + platform.random() / 2), signal);
  }
}
