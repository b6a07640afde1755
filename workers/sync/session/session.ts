/**
 * Who is signed in here. It remembers the last user, so that what is kept can be shown before (or without) an
 * answer of the server; it never lets two users meet: another user's store is deleted before theirs is opened.
 */
import { errorFacts } from '../../../src/contract/errors.ts';
import { sessionUserSchema, type SessionUser } from '../../../src/contract/session-user.ts';
import type { SessionState } from '../../../src/contract/worker.ts';
import {
  finishDeletions,
  markForDeletion,
  markGone,
  noteBack,
  removeGone,
  removeIfGone,
  removeLeftovers,
  type DeletionParts,
} from '../../store/delete-store.ts';
import { backoffMs } from '../network/backoff.ts';
import { Pause } from '../network/pause.ts';
import { deleteWhenAlone } from '../store/delete-when-alone.ts';
import { CookieChanges } from './cookie-changes.ts';
import { endSession } from './end-session.ts';
import type { SessionParts } from './session-parts.ts';
import { endOf, isSessionOver, storeNameIn } from './session-over.ts';
import { noteWallEnd } from './wall-end.ts';
import { readUser } from './working-organization.ts';

/** Facts of the device, also read by the service worker's wake-up. */
export const USER = 'user';
export const IS_SIGNED_IN = 'isSignedIn';
const LOGOUT_PENDING = 'logoutPending';
const PROVISIONING_RETRY_MS = 3000;

/** A sign-out that found no network is remembered, and the server is told before anyone signs in again. */
export class Session {
  private readonly parts: SessionParts;
  private readonly listeners = new Set<(state: SessionState) => void>();
  private current: SessionState = { kind: 'unknown' };
  /** Rises when a new attempt to find out begins; older ones end without effect. */
  private attemptNumber = 0;
  private failures = 0;
  private readonly pause: Pause;
  private doubting: Promise<void> | null = null;
  readonly cookies = new CookieChanges();

  constructor(parts: SessionParts) {
    this.parts = parts;
    this.pause = new Pause(parts.platform);
  }

  subscribe(listener: (state: SessionState) => void): () => void {
    this.listeners.add(listener);
    listener(this.current);
    return () => this.listeners.delete(listener);
  }

  /** Finishes deletions, shows what is kept of the last user, and asks the server who is signed in. */
  async start(): Promise<void> {
    const { device, onUser } = this.parts;
    await finishDeletions(this.deletion());
    await removeGone(this.deletion());
    const user = await this.remembered();
    if (user !== null && (await device.get(IS_SIGNED_IN)) === true) {
      this.set({ kind: 'signed-in', user, isConfirmed: false });
      onUser(user, false);
    }
    if ((await device.get(LOGOUT_PENDING)) === true) this.set({ kind: 'signed-out' });
    await this.find();
  }

  /** Ends what is being tried. */
  stop(): void {
    this.attemptNumber += 1;
    this.pause.cut();
  }

  /** Tries again now. */
  retry(): void {
    this.pause.cut();
  }

  /**
   * Asks the server once who is signed in and takes the answer, also when a later look should find other roles; once
   * more when the cookie changed. True when somebody is. Throws when there was no answer; what is shown stays then.
   */
  async recheck(): Promise<boolean> {
    await this.cookies.settled();
    const attempt = this.attemptNumber;
    const { count } = this.cookies;
    const { http, platform } = this.parts;
    try {
      await this.reportLogout();
      const user = await readUser(http, platform.origin);
      // Somebody signed in or out meanwhile: that is newer.
      if (attempt === this.attemptNumber) await this.accept(user, attempt);
      return this.current.kind === 'signed-in';
    } catch (error) {
      if (!isSessionOver(error)) throw error;
      if (count !== this.cookies.count) return this.recheck();
      if (attempt === this.attemptNumber) await this.expire(error);
      return false;
    }
  }

  /** A request was refused as nobody's or another person's, perhaps of a session before: asks who is signed in. */
  revalidate(): Promise<void> {
    this.doubting ??= this.ask().finally(() => {
      this.doubting = null;
    });
    return this.doubting;
  }

  private async ask(): Promise<void> {
    const { platform, onUnreachable } = this.parts;
    try {
      await this.recheck();
    } catch (error) {
      if (errorFacts(error).code === 'unknown') platform.report(error);
      onUnreachable(error);
    }
  }

  /** The session is over, or works nowhere: nothing is shown any more; a person's stays for the same user. */
  private async expire(error?: unknown): Promise<void> {
    const shown = storeNameIn(this.current);
    this.attemptNumber += 1;
    await this.parts.device.set(IS_SIGNED_IN, false);
    const wall = await noteWallEnd(this.deletion(), await this.remembered());
    this.set(endOf(error));
    await this.parts.onNobody();
    if (wall !== null) return deleteWhenAlone(this.deletion(), this.parts.platform, wall);
    // Perhaps another tab signed out, and the server said so before that tab did.
    if (shown !== null) await removeIfGone(this.deletion(), shown);
  }

  /**
   * Lets `change` make the session work in another organisation. Everything of the one before is closed first; what
   * is kept of it goes when the server has said who is signed in now, but what was not delivered stays sealed.
   */
  async switchOrganization<T>(change: () => Promise<T>): Promise<T> {
    this.attemptNumber += 1;
    await this.parts.device.set(IS_SIGNED_IN, false);
    this.set({ kind: 'switching' });
    await this.parts.onNobody();
    try {
      return await change();
    } finally {
      void this.find();
    }
  }

  /** What was not delivered goes, too, unless it is to stay sealed for the same user. */
  async signOut({ keepOutbox }: { keepOutbox: boolean }): Promise<void> {
    const { device, onNobody, platform } = this.parts;
    this.attemptNumber += 1;
    await device.set(LOGOUT_PENDING, true);
    await device.set(IS_SIGNED_IN, false);
    const user = await this.remembered();
    if (user !== null)
      await markGone(this.deletion(), { storeName: user.storeName, keepsOutbox: keepOutbox });
    this.set({ kind: 'signed-out' });
    await onNobody();
    await device.delete(USER);
    await deleteWhenAlone(this.deletion(), platform, user?.storeName ?? null);
    try {
      await this.reportLogout();
    } catch (error) {
      // Remembered: it is told at the next start, when online again, or before anyone signs in.
      if (errorFacts(error).code === 'unknown') platform.report(error);
      void this.find();
    }
  }

  /** Another tab's worker signed in or out, or works elsewhere: looks again at what is remembered. */
  async lookAgain(): Promise<void> {
    if (await this.isSomebodyElseHere()) return this.becomeWhoIsHere();
    const isSignedIn = await this.isStoredSignedIn();
    const isShown = this.current.kind === 'signed-in';
    if (isShown && !isSignedIn) {
      const shown = storeNameIn(this.current);
      this.attemptNumber += 1;
      this.set({ kind: 'signed-out' });
      await this.parts.onNobody();
      if (shown !== null) await removeIfGone(this.deletion(), shown);
    }
    if (!isShown && isSignedIn) await this.start();
  }

  /** Another tab signed in as somebody else than who is shown here. */
  private async isSomebodyElseHere(): Promise<boolean> {
    const user = await this.remembered();
    return (await this.isStoredSignedIn()) && user !== null && this.isShowingOther(user);
  }

  private async isStoredSignedIn(): Promise<boolean> {
    return (await this.parts.device.get(IS_SIGNED_IN)) === true;
  }

  private isShowingOther({ storeName }: SessionUser): boolean {
    const shown = storeNameIn(this.current);
    return shown !== null && shown !== storeName;
  }

  private async becomeWhoIsHere(): Promise<void> {
    this.attemptNumber += 1;
    await this.leave();
    await this.start();
  }

  /** Closes what another tab's user has replaced; what this tab wrote since goes, too. */
  private async leave(): Promise<void> {
    const shown = storeNameIn(this.current);
    await this.parts.onNobody();
    if (shown !== null) await removeLeftovers(this.deletion(), shown);
  }

  private deletion(): DeletionParts {
    return { device: this.parts.device, idb: this.parts.platform.idb };
  }

  private set(state: SessionState): void {
    if (JSON.stringify(state) === JSON.stringify(this.current)) return;
    const isNews = storeNameIn(state) !== storeNameIn(this.current) && state.kind !== 'unknown';
    this.current = state;
    if (isNews) this.parts.platform.announce({ type: 'session' });
    for (const listener of this.listeners) listener(state);
  }

  private async remembered(): Promise<SessionUser | null> {
    const parsed = sessionUserSchema.safeParse(await this.parts.device.get(USER));
    return parsed.success ? parsed.data : null;
  }

  /** Tells the server of a sign-out that it hasn't heard of yet. */
  async reportLogout(): Promise<void> {
    const { device, http } = this.parts;
    if ((await device.get(LOGOUT_PENDING)) !== true) return;
    await endSession(http);
    await device.delete(LOGOUT_PENDING);
  }

  private async accept(user: SessionUser, attempt: number): Promise<void> {
    // Who signs out meanwhile is not signed in again by an answer of before.
    const isOver = () => attempt !== this.attemptNumber;
    const { device, onUser, onNobody } = this.parts;
    if (this.isShowingOther(user)) await this.leave();
    const before = await this.remembered();
    if (before !== null && before.storeName !== user.storeName) {
      await onNobody();
      const keepsOutbox = await this.parts.hasUnsent(before.storeName);
      await markForDeletion(this.deletion(), before.storeName, { keepsOutbox });
      await finishDeletions(this.deletion());
    }
    if (isOver()) return;
    await noteBack(this.deletion(), user.storeName);
    if (isOver()) return;
    await device.setAll({ [USER]: user, [IS_SIGNED_IN]: true });
    if (isOver()) return;
    onUser(user, true);
    this.set({ kind: 'signed-in', user, isConfirmed: true });
  }

  /** Asks until there is an answer that settles it. */
  private async find(): Promise<void> {
    this.attemptNumber += 1;
    const attempt = this.attemptNumber;
    const isCurrent = () => attempt === this.attemptNumber;
    const { http, platform } = this.parts;
    this.failures = 0;
    while (isCurrent()) {
      try {
        await this.reportLogout();
        const user = await readUser(http, platform.origin);
        if (isCurrent()) await this.accept(user, attempt);
        return;
      } catch (error) {
        if (!isCurrent()) return;
        if (isSessionOver(error)) {
          await this.expire(error);
          return;
        }
        await this.pause.wait(this.unsettled(error));
      }
    }
  }

  /** What is shown while the server doesn't say who is signed in; returns how long to wait. */
  private unsettled(error: unknown): number {
    const { onUnreachable, platform } = this.parts;
    const facts = errorFacts(error);
    this.failures += 1;
    onUnreachable(error);
    const isProvisioning = facts.code === 'server' || facts.code === 'not_found';
    if (this.current.kind !== 'signed-in' && this.current.kind !== 'signed-out')
      this.set(isProvisioning ? { kind: 'provisioning' } : { kind: 'failed', error: facts });
    return isProvisioning ? PROVISIONING_RETRY_MS : backoffMs(this.failures, () => platform.random(), null);
  }
}
