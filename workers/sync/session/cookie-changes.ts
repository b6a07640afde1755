/**
 * Calls that may give the session a new cookie. Until such an answer is here, others are sent with the old cookie,
 * which the server may refuse: that is no end of the session.
 */
export class CookieChanges {
  private readonly running = new Set<Promise<unknown>>();
  private begun = 0;

  /** How many calls have begun. */
  get count(): number {
    return this.begun;
  }

  async during<T>(call: () => Promise<T>): Promise<T> {
    this.begun += 1;
    const answer = call();
    const ended = answer.catch(() => undefined);
    this.running.add(ended);
    try {
      return await answer;
    } finally {
      this.running.delete(ended);
    }
  }

  /** Resolves when none is under way. */
  async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }
}
