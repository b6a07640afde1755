/** What a page has open in its workers: closed with the page, because a shared worker outlives it. */
import type { Subscription } from '../../contract/queries/queries.ts';

/** One for the page. */
export class OpenParts {
  private readonly open = new Set<{ close(): void }>();
  private readonly report: (error: unknown) => void;

  constructor(report: (error: unknown) => void) {
    this.report = report;
  }

  /** Answers with how to close it before, once. */
  add(open: { close(): void }): () => void {
    this.open.add(open);
    return () => {
      if (this.open.delete(open)) open.close();
    };
  }

  /** The same for a subscription that is being opened; a failure is reported. */
  follow(subscribing: Promise<Subscription>): () => void {
    const opening = subscribing.catch((error: unknown) => {
      this.report(error);
      return null;
    });
    return this.add({
      close: () => void opening.then((subscription) => subscription?.close()).catch(this.report),
    });
  }

  closeAll(): void {
    for (const one of this.open) one.close();
  }
}
