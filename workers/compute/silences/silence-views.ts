/**
 * Answers about silences that follow the rows they are worked out of. Only the collections that a silence can be about
 * are read: as long as nothing is silenced, none but the small one that has the silences themselves.
 */
import type { CollectionName } from '../../../src/contract/collections.ts';
import type {
  SilencedKind,
  SilencedUntil,
  SilencePreview,
} from '../../../src/contract/queries/silence-view.ts';
import { isActive, type Silence } from '../../../src/domain/notification/silence.ts';
import { silenceOfRow } from '../../../src/domain/notification/silence-row.ts';
import { RowTable } from '../../../src/contract/row-index/row-table.ts';
import { createSlices } from '../slices.ts';
import type { LiveContext } from '../subscriptions/live-handler.ts';
import { createThrottle } from '../throttle.ts';
import { loadFilters, type AskFilter } from './cel-filter.ts';
import { previewOf, silencedNow, type SilenceWork } from './preview.ts';
import { kindsOf, Things } from './things.ts';

const REFRESH_GAP_MS = 500;
/** Silences begin and end by the passing of time alone. */
const CLOCK_GAP_MS = 20_000;
const NO_ROWS = new RowTable();
const NOT_YET: SilencePreview = {
  isLoaded: false,
  hidden: 0,
  total: 0,
  covers: { check: 0, config: 0, component: 0 },
  unknown: 0,
};

type Context = Pick<LiveContext, 'platform' | 'live' | 'model' | 'onChecks'>;
type Joined = ReturnType<LiveContext['live']['attend']>;

/** Where it stands what a silence can be about: what a check belongs to, with the items and the components. */
function placesOf(silence: Silence): CollectionName[] {
  const kinds = kindsOf(silence);
  const { configId, componentId, isRecursive } = silence;
  const areChecks = kinds.includes('check') && isRecursive;
  const hasConfigs = kinds.includes('config') || (areChecks && configId !== null);
  const hasComponents = kinds.includes('component') || (areChecks && componentId !== null);
  return [...(hasConfigs ? (['configs'] as const) : []), ...(hasComponents ? (['components'] as const) : [])];
}

const hasFilter = ({ filter }: Silence) => (filter ?? '').trim() !== '';

/** Works an answer out again whenever something changed, one at a time, and tells it when it differs. */
class Following<Answer> {
  private readonly context: Context;
  private readonly listener: (answer: Answer) => void;
  private readonly answer: (following: Following<Answer>) => Promise<Answer>;
  private readonly joined = new Map<CollectionName, Joined>();
  private readonly refresh: () => void;
  private readonly leaveChecks: () => void;
  private ask: Promise<AskFilter> | null = null;
  private sent = '';
  private isOpen = true;
  private isWorking = false;
  private isDue = false;

  constructor(
    context: Context,
    answer: (following: Following<Answer>) => Promise<Answer>,
    listener: (answer: Answer) => void,
  ) {
    this.context = context;
    this.answer = answer;
    this.listener = listener;
    this.refresh = createThrottle(context.platform, REFRESH_GAP_MS, () => this.start());
    this.leaveChecks = context.onChecks(() => this.refresh());
    this.refresh();
    this.tick();
  }

  close(): void {
    this.isOpen = false;
    this.leaveChecks();
    for (const joined of this.joined.values()) joined.leave();
  }

  /** The rows of a collection; null until they were read. */
  table(name: CollectionName): RowTable | null {
    const joined = this.joined.get(name) ?? this.join(name);
    return joined.source.isLoaded() ? joined.source.index.table : null;
  }

  /** What it takes to ask these silences; null until everything was read that they can be about. */
  async work(silences: readonly Silence[]): Promise<SilenceWork | null> {
    const { model, platform } = this.context;
    const names = new Set(silences.flatMap(placesOf));
    const tables = new Map([...names].map((name) => [name, this.table(name)]));
    if ([...tables.values()].includes(null)) return null;
    this.ask ??= silences.some(hasFilter) ? loadFilters() : null;
    const things = new Things({
      checks: model.index,
      configs: tables.get('configs') ?? NO_ROWS,
      components: tables.get('components') ?? NO_ROWS,
    });
    const ask = (await this.ask) ?? (() => 'unknown' as const);
    return { things, ask, pause: createSlices(platform).pause, nowMs: model.nowMs() };
  }

  private join(name: CollectionName): Joined {
    const joined = this.context.live.attend(name, { hear: () => this.refresh(), refresh: () => {} });
    this.joined.set(name, joined);
    return joined;
  }

  private tick(): void {
    this.context.platform.later(CLOCK_GAP_MS, () => {
      if (!this.isOpen) return;
      this.refresh();
      this.tick();
    });
  }

  private start(): void {
    this.isDue = true;
    if (this.isWorking || !this.isOpen) return;
    this.isWorking = true;
    this.run().then(
      () => {
        this.isWorking = false;
      },
      (error: unknown) => {
        this.isWorking = false;
        this.context.platform.report(error);
      },
    );
  }

  private async run(): Promise<void> {
    while (this.isDue && this.isOpen) {
      this.isDue = false;
      const answer = await this.answer(this);
      const text = JSON.stringify(answer);
      if (!this.isOpen || text === this.sent) continue;
      this.sent = text;
      this.listener(answer);
    }
  }
}

/** Follows what is silent of a kind. Answers how to end it. */
export function openSilenced(
  context: Context,
  kind: SilencedKind,
  listener: (silenced: SilencedUntil) => void,
): () => void {
  const answer = async (following: Following<SilencedUntil>): Promise<SilencedUntil> => {
    const resources = following.table('resources');
    if (resources === null) return {};
    const nowMs = context.model.nowMs();
    const slots = resources.narrow(resources.takenSlots(), 'kind', (value) => value === 'silence');
    const silences = Array.from(slots, (slot) => silenceOfRow(resources.rowAt(slot) ?? {})).filter(
      (silence) => isActive(silence, nowMs) && kindsOf(silence).includes(kind),
    );
    const work = silences.length === 0 ? null : await following.work(silences);
    return work === null ? {} : silencedNow(silences, kind, work);
  };
  const following = new Following(context, answer, listener);
  return () => following.close();
}

/** Follows what a silence would have done. Answers how to end it. */
export function openPreview(
  context: Context,
  silence: Silence,
  listener: (preview: SilencePreview) => void,
): () => void {
  const answer = async (following: Following<SilencePreview>): Promise<SilencePreview> => {
    const history = following.table('notification_history');
    const work = await following.work([silence]);
    return history === null || work === null ? NOT_YET : previewOf(silence, history, work);
  };
  const following = new Following(context, answer, listener);
  return () => following.close();
}
