/**
 * Which batches of commands are carried out together: those that came while others were being carried out. Knows
 * nothing of commands. Invariants: batches that share a key (a device, a command, an entity) are never in one group
 * nor in two at the same time, and keep the order in which they came.
 */
export interface Grouped {
  /** What it has to itself while it is carried out. */
  keys: readonly string[];
  /** How much of a group it fills. */
  size: number;
}

export interface GroupLimits {
  /** A group ends before it would be larger; one batch alone may be. */
  size: number;
  /** Groups at the same time. */
  groups: number;
}

interface Waiting<Item, Answer> {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/** Carries a group out: an outcome for each, in their order. Never rejects for one of them alone. */
export type RunGroup<Item, Answer> = (items: readonly Item[]) => Promise<PromiseSettledResult<Answer>[]>;

/** One line of batches in front of a database. */
export class CommandGroups<Item extends Grouped, Answer> {
  private readonly run: RunGroup<Item, Answer>;
  private readonly limits: GroupLimits;
  private waiting: Waiting<Item, Answer>[] = [];
  /** Keys of the groups that are being carried out. */
  private readonly held = new Set<string>();
  private running = 0;

  constructor(run: RunGroup<Item, Answer>, limits: GroupLimits) {
    this.run = run;
    this.limits = limits;
  }

  /** Resolves once its group is done. */
  add(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.startAll();
    });
  }

  private startAll(): void {
    while (this.running < this.limits.groups) {
      const group = this.takeNext();
      if (group.length === 0) return;
      void this.carryOut(group);
    }
  }

  /** Those that may go now; whoever has to wait holds his keys against those behind him. */
  private takeNext(): Waiting<Item, Answer>[] {
    const taken: Waiting<Item, Answer>[] = [];
    const left: Waiting<Item, Answer>[] = [];
    const blocked = new Set(this.held);
    let size = 0;
    for (const one of this.waiting) {
      const { keys } = one.item;
      const isFree = !keys.some((key) => blocked.has(key));
      const isRoom = taken.length === 0 || size + one.item.size <= this.limits.size;
      for (const key of keys) blocked.add(key);
      if (!isFree || !isRoom) {
        left.push(one);
        continue;
      }
      taken.push(one);
      size += one.item.size;
    }
    this.waiting = left;
    return taken;
  }

  private async carryOut(group: readonly Waiting<Item, Answer>[]): Promise<void> {
    const keys = group.flatMap(({ item }) => item.keys);
    this.running += 1;
    for (const key of keys) this.held.add(key);
    try {
      const answers = await this.run(group.map(({ item }) => item));
      for (const [at, { resolve, reject }] of group.entries()) {
        const answer = answers[at];
        if (answer?.status === 'fulfilled') resolve(answer.value);
        else reject(answer?.reason);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      for (const key of keys) this.held.delete(key);
      this.running -= 1;
      this.startAll();
    }
  }
}
