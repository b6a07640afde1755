/**
 * Lets requests that ask the same share an answer that was begun after each of them came: whoever comes while one is
 * being made waits for the next. So nobody gets an answer older than his question, and however many ask, one answer is
 * made at a time. Only for answers that are the same for everyone who may ask; the asking itself is authorised before.
 */
interface Line<Answer> {
  running: Promise<Answer>;
  next: Promise<Answer> | null;
}

/** In memory of this process; holds nothing that nobody waits for. */
export class NextAnswers<Answer> {
  private readonly lines = new Map<string, Line<Answer>>();

  /** A failure is told to all who wait for that answer, and to nobody after. */
  share(key: string, make: () => Promise<Answer>): Promise<Answer> {
    const line = this.lines.get(key);
    if (line === undefined) return this.begin(key, make);
    line.next ??= line.running.then(
      () => this.begin(key, make),
      () => this.begin(key, make),
    );
    return line.next;
  }

  private begin(key: string, make: () => Promise<Answer>): Promise<Answer> {
    const running = make();
    const line: Line<Answer> = { running, next: null };
    this.lines.set(key, line);
    const end = () => {
      if (line.next === null) this.lines.delete(key);
    };
    running.then(end, end);
    return running;
  }
}
