/**
 * A device that writes without pause and remembers what it was told. It keeps a batch until it has an answer to
 * it, and sends exactly that batch again after the server died. Every command leaves a trace that shows if it was
 * done twice: a comment's text, an incident's history.
 */
import { randomUUID } from 'node:crypto';
import { commandAnswerSchema } from '../../src/contract/sync.ts';
import type { CommandEnvelope } from '../../src/contract/sync.ts';
import type { TestBrowser } from '../security/support/test-browser.ts';

/** What must be in the database of one incident once all of its commands were answered. */
export interface Story {
  incidentId: string;
  rootId: string;
  comments: Map<string, 'acknowledged' | 'sent'>;
  evidences: Map<string, 'acknowledged' | 'sent'>;
  statusChanges: { acknowledged: number; sent: number };
  isCreated: boolean;
}

interface Pending {
  command: CommandEnvelope;
  settle: () => void;
}

const COMMANDS_PER_STORY = 12;
const STATUSES = ['open', 'mitigated'] as const;

export interface KillDevice {
  /** Sends batches until one can't be answered or the signal aborts. */
  write(browser: TestBrowser, signal: AbortSignal): Promise<void>;
  /** Sends what has no answer yet; answers how many commands that were. */
  finish(browser: TestBrowser): Promise<number>;
  /** Incidents that were written to since the last call. */
  takeStories(): Story[];
  acknowledged(): number;
}

class Stories {
  all = new Set<Story>();
  current: Story | null = null;
  steps = 0;

  /** The next command of the story, or the first of a new one. */
  next(): { name: string; args: unknown; settle: () => void } {
    if (this.current === null || this.steps >= COMMANDS_PER_STORY) return this.begin();
    const story = this.current;
    this.all.add(story);
    this.steps += 1;
    if (this.steps % 4 === 0) return this.changeStatus(story);
    return this.steps % 4 === 1 ? this.addEvidence(story) : this.addComment(story);
  }

  private begin() {
    const story: Story = {
      incidentId: randomUUID(),
      rootId: randomUUID(),
      comments: new Map(),
      evidences: new Map(),
      statusChanges: { acknowledged: 0, sent: 0 },
      isCreated: false,
    };
    this.current = story;
    this.steps = 0;
    this.all.add(story);
    const args = {
      id: story.incidentId,
      rootHypothesisId: story.rootId,
      title: `Incident ${story.incidentId}`,
    };
    return { name: 'create_incident', args, settle: () => void (story.isCreated = true) };
  }

  private addComment(story: Story) {
    const [id, comment] = [randomUUID(), `comment ${randomUUID()}`];
    story.comments.set(comment, 'sent');
    return {
      name: 'add_comment',
      args: { id, incidentId: story.incidentId, comment },
      settle: () => void story.comments.set(comment, 'acknowledged'),
    };
  }

  private addEvidence(story: Story) {
    const id = randomUUID();
    story.evidences.set(id, 'sent');
    return {
      name: 'add_evidence',
      args: { id, incidentId: story.incidentId, hypothesisId: story.rootId, type: 'comment' },
      settle: () => void story.evidences.set(id, 'acknowledged'),
    };
  }

  private changeStatus(story: Story) {
    const { statusChanges } = story;
    const [from, to] = [STATUSES[statusChanges.sent % 2], STATUSES[(statusChanges.sent + 1) % 2]];
    statusChanges.sent += 1;
    return {
      name: 'set_incident_status',
      args: { id: story.incidentId, from, to },
      settle: () => void (statusChanges.acknowledged += 1),
    };
  }
}

export function createKillDevice(batchSize: () => number, pause: () => Promise<void>): KillDevice {
  const deviceId = randomUUID();
  const stories = new Stories();
  let seq = 0;
  let acknowledged = 0;
  let pending: Pending[] = [];

  const prepare = () => {
    pending = Array.from({ length: batchSize() }, () => {
      const { name, args, settle } = stories.next();
      seq += 1;
      const command = {
        seq,
        commandId: randomUUID(),
        name,
        version: 1,
        args,
        basedOn: null,
        expiresAt: null,
      };
      return { command, settle };
    });
  };
  const send = async (browser: TestBrowser) => {
    const commands = pending.map(({ command }) => command);
    const response = await browser.post('/api/sync/commands', { deviceId, commands });
    const body = await response.text();
    if (response.status !== 200) throw new Error(`${response.status}: ${body}`);
    const { results } = commandAnswerSchema.parse(JSON.parse(body));
    const wrong = results.find(({ outcome }) => outcome.kind !== 'applied');
    if (wrong !== undefined || results.length !== commands.length) {
      throw new KillViolation(`a command was not applied: ${body}`);
    }
    for (const { settle } of pending) settle();
    acknowledged += pending.length;
    pending = [];
  };

  return {
    async write(browser, signal) {
      while (!signal.aborted) {
        if (pending.length === 0) prepare();
        try {
          await send(browser);
        } catch (error) {
          if (error instanceof KillViolation) throw error;
          // The server is gone: that is what this is about.
          return;
        }
        await pause();
      }
    },
    async finish(browser) {
      const count = pending.length;
      if (count > 0) await send(browser);
      return count;
    },
    takeStories() {
      const taken = [...stories.all];
      stories.all = new Set();
      return taken;
    },
    acknowledged: () => acknowledged,
  };
}

/** A promise of the server was broken. */
export class KillViolation extends Error {}
