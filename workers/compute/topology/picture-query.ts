/**
 * One query for the picture of a component: answered when its layout is loaded, and again when something differs. An
 * answer is made in a task of its own; a question that was replaced meanwhile is not answered at all.
 */
import type { ComponentPicturePatch, ComponentPictureQuery } from '../../../src/contract/topology-view.ts';
import { loadLayout } from '../relations/graph-layout.ts';
import { ComponentPictureMaker } from './topology-picture.ts';
import type { TopologyModel } from './topology-model.ts';

interface PictureOptions {
  query: ComponentPictureQuery;
  model: TopologyModel;
  listener: (patch: ComponentPicturePatch) => void;
  /** Lets other work run. */
  pause: () => Promise<void>;
  report: (error: unknown) => void;
}

/** One for each that asks; close it when nobody listens any more. */
export class PictureQuery {
  private readonly options: PictureOptions;
  private query: ComponentPictureQuery;
  private generation = 0;
  private isDue = false;
  private isRunning = false;
  private isOpen = true;
  private maker: ComponentPictureMaker | null = null;
  private sent = '';

  constructor(options: PictureOptions) {
    this.options = options;
    this.query = options.query;
    this.refresh();
  }

  setQuery(query: ComponentPictureQuery): void {
    this.query = query;
    this.generation += 1;
    this.refresh();
  }

  close(): void {
    this.isOpen = false;
  }

  /** Something may differ. */
  refresh(): void {
    this.isDue = true;
    if (this.isRunning) return;
    this.isRunning = true;
    this.run()
      .catch((error: unknown) => this.options.report(error))
      .finally(() => {
        this.isRunning = false;
      });
  }

  private async run(): Promise<void> {
    while (this.isDue && this.isOpen) {
      // Questions that wait in the queue come in first: only the last of them is worked on.
      await this.options.pause();
      this.isDue = false;
      this.maker ??= new ComponentPictureMaker(await loadLayout());
      if (this.isOpen && !this.isDue) this.answer(this.maker);
    }
  }

  private answer(maker: ComponentPictureMaker): void {
    const { model, listener } = this.options;
    if (!model.isLoaded()) return;
    const picture = maker.make(model, this.query);
    const text = JSON.stringify([this.generation, picture]);
    if (text === this.sent) return;
    this.sent = text;
    listener({ generation: this.generation, picture });
  }
}
