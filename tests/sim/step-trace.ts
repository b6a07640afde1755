/** The steps that a world took, as one number: two runs with the same number took the same steps. */
import { appendFileSync } from 'node:fs';

/** A file to which every step is written, to find where two runs part. */
const FILE = process.env['SIM_TRACE'];

export class StepTrace {
  private hash = 0x811c9dc5;
  private steps = 0;
  private movedAtMs = 0;
  private movedAtStep = 0;
  private lines: string[] = [];

  /** Takes the next step in. */
  note(kind: string, name: string): void {
    this.steps += 1;
    const text = `${kind} ${name}`;
    for (let at = 0; at < text.length; at += 1) {
      this.hash = Math.imul(this.hash ^ text.charCodeAt(at), 0x01000193);
    }
    if (FILE === undefined) return;
    this.lines.push(text);
    if (this.lines.length > 1000) this.flush();
  }

  /** Steps since the clock stood elsewhere. */
  sinceMoved(atMs: number): number {
    if (atMs !== this.movedAtMs) [this.movedAtMs, this.movedAtStep] = [atMs, this.steps];
    return this.steps - this.movedAtStep;
  }

  /** What all steps come to. */
  sum(): string {
    this.flush();
    return `${this.steps}-${(this.hash >>> 0).toString(16)}`;
  }

  private flush(): void {
    if (FILE !== undefined && this.lines.length > 0) appendFileSync(FILE, `${this.lines.join('\n')}\n`);
    this.lines = [];
  }
}
