/**
 * A device that has nothing yet begins with what the server says of the page's first window. It owns when that is asked
 * for and when it is over, and what the server's clock is until the sync worker knows it. It shows nothing itself.
 */
import type { ServedQuestion } from '../../contract/http/first-visit.ts';
import type { FirstWindow } from '../../contract/first-window.ts';
import type { SyncStatus } from '../../contract/worker.ts';
import { readVisit, type Visit } from './first-visit.ts';
import type { VisitAnswer } from './platform-first-visit.ts';
import type { DataPlatform } from './platform.ts';
import { ServedWindows } from './windows/served-windows.ts';

/** A server that takes longer than this is not waited for. */
const WAIT_MS = 2000;

interface VisitParts {
  platform: Pick<DataPlatform, 'origin' | 'firstVisitAsked' | 'askFirstVisit' | 'later' | 'whenIdle'>;
  /** Whose store is shown; null when nobody's is. */
  storeName: () => string | null;
  /** Shows who is signed in, unless the sync worker has said it; false then. */
  onVisit: (visit: Visit) => boolean;
  /** The server's clock is known better. */
  onClock: () => void;
}

/** One for the page. */
export class FirstVisitStart {
  readonly served: ServedWindows;
  private readonly parts: VisitParts;
  private offsetMs: number | null = null;
  private isLoading = false;

  constructor(parts: VisitParts) {
    this.parts = parts;
    this.served = new ServedWindows((question) => this.ask(question));
  }

  /**
   * Takes what the document asked for; resolves when its rows are painted and the workers may have the processor. Null
   * where it asked for nothing.
   */
  begin(): Promise<void> | null {
    const { platform } = this.parts;
    const asked = platform.firstVisitAsked();
    if (asked === null) return null;
    const late = new Promise<void>((resolve) => platform.later(WAIT_MS, resolve));
    return Promise.race([this.show(asked), late]);
  }

  /** Somebody's rows are not on this device. */
  open(): void {
    this.served.open();
  }

  /** The sync worker's word on the connection, by the clock that is known. */
  withClock(status: SyncStatus): SyncStatus {
    if (status.firstLoad !== null) this.served.open();
    else if (this.isLoading || status.asOfMs !== null) this.served.close();
    this.isLoading = status.firstLoad !== null;
    if (status.asOfMs !== null) this.offsetMs = null;
    return this.offsetMs === null
      ? status
      : { ...status, offsetMs: Math.max(status.offsetMs, this.offsetMs) };
  }

  private async show(asked: Promise<VisitAnswer | null>): Promise<void> {
    const { platform, onVisit } = this.parts;
    const visit = this.read(await asked);
    if (visit === null || !onVisit(visit)) return;
    const { served } = visit;
    this.served.open();
    if (served !== null) this.served.put(served.question, served.window);
    await new Promise<void>((resolve) => platform.later(0, () => platform.whenIdle(resolve)));
  }

  private read(answer: VisitAnswer | null): Visit | null {
    const visit = answer === null ? null : readVisit(answer, this.parts.platform.origin);
    if (visit !== null) {
      this.offsetMs = visit.offsetMs;
      this.parts.onClock();
    }
    return visit;
  }

  private async ask(question: ServedQuestion): Promise<FirstWindow<unknown> | null> {
    const visit = this.read(await this.parts.platform.askFirstVisit(question));
    // Another tab may have signed in as somebody else.
    return visit?.user.storeName === this.parts.storeName() ? (visit?.served?.window ?? null) : null;
  }
}
