/**
 * A cluster between whole scrapes: each wanted resource is followed, and what changed is stored within a second or so, as
 * the same items that a scrape would make of it. Events are changes, as in a scrape. Only what is not stored yet and the
 * selectors of services are kept in memory.
 */
import { reasonOf } from '../../../../platform/reason-of.ts';
import { objectAt, textOf } from '../../health/health.ts';
import type { LiveSink, RawDocument, ScrapeContext, ScrapedChange } from '../../specs/scraped.ts';
import { change, output } from '../services/scraped-parts.ts';
import { discover } from './api-resources.ts';
import type { ApiResource } from './api-resources.ts';
import { eventChanges } from './event-change.ts';
import { openCluster } from './kube-config.ts';
import type { Cluster } from './kube-config.ts';
import { placesOf } from './list-objects.ts';
import type { ObjectPlace } from './list-objects.ts';
import { clusterItem, typeOf } from './object-item.ts';
import { documentsOf, EVENTS, isLeftOut, isWanted } from './wanted.ts';
import type { Wanted } from './wanted.ts';
import { ChangedObjects } from './changed-objects.ts';
import type { ChangedObject } from './changed-objects.ts';
import { followPlace } from './follow-place.ts';
import { goneObjects } from './gone-objects.ts';
import { SelectingServices } from './selecting-services.ts';

/** Each is a connection of its own. */
const MAX_PLACES = 150;
const STORE_EVERY_MS = 500;
const RETRY_MS = 2000;
const BATCH = 500;
/** So that an object is stored before what its events say of it. */
const EVENTS_WAIT_MS = 2000;
/** New kinds of resources come with their definitions. */
const DISCOVER_EVERY_MS = 600_000;
const DISCOVER_RETRY_MS = 15_000;
/** Tokens of accounts are written anew by the cluster. */
const CLUSTER_KEPT_MS = 300_000;

interface WatchDeps {
  context: ScrapeContext;
  live: LiveSink;
}

const isEvents = (place: ObjectPlace): boolean => place.resource === EVENTS;

/** A deletion as a change that takes the item with it; once for each object. */
function goneChange({ key, object }: ChangedObject): ScrapedChange {
  return change({
    about: { type: typeOf(textOf(object['kind'])), externalId: key },
    externalChangeId: `${key}/deleted`,
    changeType: 'Deleted',
    action: 'delete',
    severity: 'info',
    source: 'kubernetes',
    summary: textOf(objectAt(object, 'metadata')['name']) || null,
  });
}

class ClusterWatch {
  private readonly wanted: Wanted;
  private readonly kubeconfig: unknown;
  private readonly deps: WatchDeps;
  private readonly objects: ChangedObjects;
  private readonly events: ChangedObjects;
  private readonly services = new SelectingServices();
  private readonly followed = new Map<string, { stop: AbortController; done: Promise<void> }>();
  private readonly listed = new Set<string>();
  private readonly problems = new Map<string, string>();
  private opened: { cluster: Promise<Cluster>; atMs: number } | null = null;
  private place: RawDocument | null = null;

  constructor(wanted: Wanted, kubeconfig: unknown, deps: WatchDeps) {
    this.wanted = wanted;
    this.kubeconfig = kubeconfig;
    this.deps = deps;
    const { now } = deps.live.platform;
    this.objects = new ChangedObjects(now);
    this.events = new ChangedObjects(now);
  }

  async run(): Promise<void> {
    await Promise.all([this.keepFollowing(), this.keepStoring()]);
    await Promise.all([...this.followed.values()].map(({ done }) => done));
  }

  private cluster(): Promise<Cluster> {
    const { context, live } = this.deps;
    const nowMs = live.platform.now();
    if (this.opened === null || nowMs - this.opened.atMs > CLUSTER_KEPT_MS)
      this.opened = { cluster: openCluster(this.kubeconfig, context), atMs: nowMs };
    return this.opened.cluster;
  }

  private tell(what: string, problem: string | null): void {
    if (problem === null) {
      this.problems.delete(what);
      return;
    }
    this.problems.set(what, problem);
    // It may be what the cluster was opened with.
    this.opened = null;
  }

  private async keepFollowing(): Promise<void> {
    const { context, live } = this.deps;
    while (!context.signal.aborted) {
      let waitMs = DISCOVER_EVERY_MS;
      try {
        await this.followResources();
        this.tell('discovery', null);
      } catch (error) {
        if (context.signal.aborted) return;
        waitMs = DISCOVER_RETRY_MS;
        this.tell('discovery', reasonOf(error));
      }
      await live.platform.sleep(waitMs, context.signal);
    }
  }

  /** Follows what is served now, and no longer what is not. */
  private async followResources(): Promise<void> {
    const { context } = this.deps;
    const cluster = await this.cluster();
    const found = await discover(cluster, context);
    const { clusterName, selection } = this.wanted;
    this.place = clusterItem(clusterName, cluster.server, found.version);
    const resources = found.resources.filter(
      (resource) => resource.canWatch && isWanted(resource, this.wanted),
    );
    const all = [
      ...placesOf(EVENTS, { namespaces: selection.namespaces, labelSelector: '', fieldSelector: '' }),
      ...resources.flatMap((resource) => placesOf(resource, selection)),
    ];
    const places = all.slice(0, MAX_PLACES);
    const tooMany = `${all.length - places.length} resources are read by scrapes only; name those to watch`;
    this.tell('limit', all.length > places.length ? tooMany : null);
    const paths = new Set(places.map(({ path }) => path));
    // Groups whose server is away are there still.
    if (found.errors.length === 0)
      for (const path of this.followed.keys()) if (!paths.has(path)) this.unfollow(path);
    for (const place of places) if (!this.followed.has(place.path)) this.follow(place);
  }

  private unfollow(path: string): void {
    this.followed.get(path)?.stop.abort();
    this.followed.delete(path);
    this.listed.delete(path);
    this.problems.delete(path);
  }

  private follow(place: ObjectPlace): void {
    const { context, live } = this.deps;
    const stop = new AbortController();
    const into = isEvents(place) ? this.events : this.objects;
    const done = followPlace(
      place,
      {
        cluster: () => this.cluster(),
        context,
        platform: live.platform,
        sink: {
          put: (object, about) => into.put(object, about),
          room: (signal) => into.room(signal),
          listed: (listed, uids) => this.noteListed(listed, uids),
          tell: ({ path }, problem) => this.tell(path, problem),
        },
      },
      AbortSignal.any([context.signal, stop.signal]),
    );
    this.followed.set(place.path, { stop, done });
  }

  private async noteListed(place: ObjectPlace, uids: ReadonlySet<string>): Promise<void> {
    this.listed.add(place.path);
    if (isEvents(place)) return;
    const known = await this.deps.live.knownItems(typeOf(place.resource.kind));
    for (const object of goneObjects(place, known, { uids, clusterName: this.wanted.clusterName }))
      this.objects.put(object, { isGone: true, bytes: 200 });
  }

  private async keepStoring(): Promise<void> {
    const { context, live } = this.deps;
    const { signal } = context;
    while (!signal.aborted) {
      const isMore = await this.storeSome();
      live.tell({
        followed: this.followed.size,
        isFollowing: this.followed.size > 0 && this.listed.size >= this.followed.size,
        problems: [...this.problems.values()],
      });
      if (!isMore) await live.platform.sleep(STORE_EVERY_MS, signal);
    }
  }

  /** A batch of what waits; true where more does. */
  private async storeSome(): Promise<boolean> {
    const { live, context } = this.deps;
    const objects = this.objects.take(BATCH);
    const events = this.events.take(BATCH, live.platform.now() - EVENTS_WAIT_MS);
    const { place } = this;
    if (objects.length + events.length === 0 && place === null) return false;
    this.place = null;
    try {
      const made = await this.outputOf({ objects, events, place });
      if (await live.store(made)) {
        this.tell('storing', null);
        return this.objects.size > 0;
      }
    } catch (error) {
      if (context.signal.aborted) return false;
      this.problems.set('storing', reasonOf(error));
    }
    this.place ??= place;
    this.objects.putBack(objects);
    this.events.putBack(events);
    await live.platform.sleep(RETRY_MS / 2, context.signal);
    return false;
  }

  private async outputOf(taken: {
    objects: readonly ChangedObject[];
    events: readonly ChangedObject[];
    place: RawDocument | null;
  }) {
    const { context } = this.deps;
    const { clusterName, since, event } = this.wanted;
    await this.followServices(taken.objects);
    const here = taken.objects.filter(({ isGone, object }) => !isGone && !isLeftOut(object, this.wanted));
    const objects = here.map(({ object }) => object);
    const { documents, errors } = await documentsOf(
      { objects, services: this.services.all() },
      this.wanted,
      context,
    );
    const told = taken.events.filter(({ isGone }) => !isGone).map(({ object }) => object);
    const gone = taken.objects.filter(({ isGone }) => isGone);
    return output({
      documents: [...(taken.place === null ? [] : [taken.place]), ...documents],
      changes: [...eventChanges(told, event, { clusterName, since }), ...gone.map(goneChange)],
      errors,
      isComplete: false,
    });
  }

  /** Pods that a service selects newly are told again, with it. */
  private async followServices(taken: readonly ChangedObject[]): Promise<void> {
    const pods: ApiResource = { ...EVENTS, kind: 'Pod', plural: 'pods' };
    for (const entry of taken) {
      const selected = this.services.note(entry);
      const { path } = placesOf({ ...pods, plural: 'services' }, this.wanted.selection)[0] ?? { path: '' };
      // The first list of services comes beside that of the pods.
      if (selected === null || !this.listed.has(path) || !isWanted(pods, this.wanted)) continue;
      const { labelSelector, fieldSelector } = this.wanted.selection;
      const labels = [labelSelector, selected.labelSelector].filter((part) => part !== '').join(',');
      const selection = { namespaces: [selected.namespace], labelSelector: labels, fieldSelector };
      const found = await this.services.pods(await this.cluster(), placesOf(pods, selection));
      for (const object of found) this.objects.put(object, { isGone: false, bytes: 8192 });
    }
  }
}

/** Watches until the context's signal aborts. */
export function watchCluster(wanted: Wanted, kubeconfig: unknown, deps: WatchDeps): Promise<void> {
  return new ClusterWatch(wanted, kubeconfig, deps).run();
}
