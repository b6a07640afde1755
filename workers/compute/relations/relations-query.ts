/**
 * One query about relations: answered at once and again when the model changed, as differences. An
 * answer is computed in a task of its own; a question that was replaced meanwhile is not computed at all.
 */
import type { RelationsFrame, RelationsPatch, RelationsQuestion } from '../../../src/contract/relations.ts';
import { relationTest } from '../../../src/domain/catalog/relation-filter.ts';
import { loadLayout } from './graph-layout.ts';
import { PictureMaker } from './relation-picture.ts';
import { facetsOf, sortItems, treeOrder } from './relation-table.ts';
import { relatedTo, rowOf, upTo, type Related, type RelatedItem } from './related-items.ts';
import type { RelationsModel } from './relations-model.ts';

interface QueryOptions {
  question: RelationsQuestion;
  model: RelationsModel;
  listener: (patch: RelationsPatch) => void;
  /** Lets other work run. */
  pause: () => Promise<void>;
  report: (error: unknown) => void;
}

const NOTHING: RelationsFrame = {
  isLoaded: false,
  isKnown: false,
  isCut: false,
  total: 0,
  passing: 0,
  rowCount: 0,
  facets: { types: [], labels: [], statuses: [], healths: [] },
};

/** What was walked, with what it was walked for. */
interface Walked {
  key: string;
  related: Related | null;
  /** In tree order, the item itself first. */
  ordered: RelatedItem[];
  facets: RelationsFrame['facets'];
}

/** One for each that asks; close it when nobody listens any more. */
export class RelationsQuery {
  private readonly options: QueryOptions;
  private question: RelationsQuestion;
  private generation = 0;
  private isDirty = false;
  private isRunning = false;
  private isOpen = true;
  private walked: Walked | null = null;
  private maker: PictureMaker | null = null;
  /** What the listener has, as text. */
  private readonly sent = { generation: -1, frame: '', rows: '', picture: '' };

  constructor(options: QueryOptions) {
    this.options = options;
    this.question = options.question;
    this.refresh();
  }

  setQuestion(question: RelationsQuestion): void {
    this.question = question;
    this.generation += 1;
    this.refresh();
  }

  close(): void {
    this.isOpen = false;
  }

  /** Something may differ. */
  refresh(): void {
    this.isDirty = true;
    if (this.isRunning) return;
    this.isRunning = true;
    this.run().then(
      () => {
        this.isRunning = false;
      },
      (error: unknown) => {
        this.isRunning = false;
        this.options.report(error);
      },
    );
  }

  private async run(): Promise<void> {
    while (this.isDirty && this.isOpen) {
      // Questions that wait in the queue come in first: only the last of them is worked on.
      await this.options.pause();
      this.isDirty = false;
      if (this.question.face.kind === 'graph') this.maker ??= new PictureMaker(await loadLayout());
      if (this.isOpen && !this.isDirty) this.answer();
    }
  }

  private answer(): void {
    const { question } = this;
    const { model } = this.options;
    const walked = this.walk();
    if (walked === null || walked.related === null) {
      this.send({ ...NOTHING, isLoaded: walked !== null, isCut: model.isCut() }, {});
      return;
    }
    const test = relationTest(question);
    const passes = (item: RelatedItem) => test(item.facts);
    const { related, facets } = walked;
    const near = upTo(related, question.maxDepth);
    const items = near.items.filter(passes);
    const total = question.hidesDeleted
      ? related.items.filter((item) => item.facts.deletedAt === null).length
      : related.items.length;
    const isShown = new Set<RelatedItem>([related.root, ...near.items]);
    const shown = walked.ordered.filter((item) => isShown.has(item) && passes(item));
    const frame: RelationsFrame = {
      isLoaded: true,
      isKnown: true,
      isCut: model.isCut(),
      total,
      passing: items.length,
      rowCount: shown.length,
      facets,
    };
    const { face } = question;
    if (face.kind === 'graph') {
      const { direction } = face;
      const input = {
        root: related.root,
        items,
        links: near.links,
        direction,
        toggled: new Set(face.toggled),
      };
      const picture = this.maker?.make(model, input);
      this.send(frame, picture === undefined ? {} : { picture });
      return;
    }
    const { sortBy, isDescending, window } = face;
    const sorted = sortItems(shown, { sortBy, isDescending, changesOf: (id) => model.changesOf(id) });
    const rows = sorted.slice(window.start, window.end).map((item) => rowOf(model, item));
    this.send(frame, { rows: { start: window.start, rows } });
  }

  /** The walk is the same for as long as neither the model nor where it goes changes. */
  private walk(): Walked | null {
    const { model } = this.options;
    if (!model.isLoaded()) return null;
    const { configId, isIncoming, isOutgoing, isSoft } = this.question;
    const key = JSON.stringify([model.version, configId, isIncoming, isOutgoing, isSoft]);
    if (this.walked?.key === key) return this.walked;
    const related = relatedTo(model, this.question);
    this.walked = {
      key,
      related,
      ordered: related === null ? [] : treeOrder(related.root, related.items),
      facets: related === null ? NOTHING.facets : facetsOf(related.items),
    };
    return this.walked;
  }

  private send(frame: RelationsFrame, face: Pick<RelationsPatch, 'rows' | 'picture'>): void {
    const { sent, generation } = this;
    const patch: RelationsPatch = { generation };
    const texts = {
      frame: JSON.stringify(frame),
      rows: JSON.stringify(face.rows ?? null),
      picture: JSON.stringify(face.picture ?? null),
    };
    if (texts.frame !== sent.frame) patch.frame = frame;
    if (face.rows !== undefined && texts.rows !== sent.rows) patch.rows = face.rows;
    if (face.picture !== undefined && texts.picture !== sent.picture) patch.picture = face.picture;
    const isNews = Object.keys(patch).length > 1 || generation !== sent.generation;
    Object.assign(sent, texts, { generation });
    if (isNews) this.options.listener(patch);
  }
}
