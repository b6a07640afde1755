/**
 * What users did and what the app told them, in the order in which it happened. It is only ever added to; the
 * judges compare it with what the server and the devices have in the end.
 */
import type { CommandRequest } from '../../src/contract/commands/all-commands.ts';
import type { OutboxItem, OutboxView } from '../../src/contract/outbox/outbox.ts';
import type { CommandAnswer, CommandBatch, CommandOutcome } from '../../src/contract/sync.ts';

export interface Intent {
  commandId: string;
  request: CommandRequest;
  device: string;
  personId: string;
  sentAtMs: number;
  /** Order within the device. */
  place: number;
}

/** A promise of the app that was broken. */
export interface Violation {
  law: string;
  what: string;
}

export interface ServerDeed {
  commandId: string;
  deviceId: string;
  worker: string;
  outcome: CommandOutcome;
  atMs: number;
}

export class Oracle {
  readonly intents = new Map<string, Intent>();
  readonly violations: Violation[] = [];
  /** What the server answered to each command, repeats included. */
  readonly deeds: ServerDeed[] = [];
  /** The newest state that a device told of a command. */
  readonly told = new Map<string, OutboxItem>();
  /** When the outbox was made in which a command was first shown: one that is made anew counts anew. */
  readonly births = new Map<string, number>();
  /** Commands that the user took out. */
  readonly dropped = new Set<string>();
  /** Commands that another one replaced. */
  readonly redone = new Map<string, string>();
  /** Lost with the storage of their device, which nothing could prevent. */
  readonly evicted = new Set<string>();
  /** Command ids that were in a device's outbox when it was last told. */
  readonly shown = new Map<string, Set<string>>();
  /** What was promised beyond the commands, by time; printed with a violation. */
  readonly trace: string[] = [];

  note(atMs: number, line: string): void {
    this.trace.push(`${String(Math.round(atMs)).padStart(9)} ${line}`);
  }

  break(law: string, what: string): void {
    this.violations.push({ law, what });
  }

  accepted(intent: Intent): void {
    if (this.intents.has(intent.commandId)) this.break('command ids', `two commands are ${intent.commandId}`);
    this.intents.set(intent.commandId, intent);
  }

  /** What a page of that device sees of the outbox. */
  see(device: string, view: OutboxView): void {
    const now = new Set<string>();
    for (const item of view.items) {
      if (now.has(item.commandId)) this.break('once', `${device} shows ${item.commandId} twice`);
      now.add(item.commandId);
      this.told.set(item.commandId, item);
      if (!this.births.has(item.commandId)) this.births.set(item.commandId, view.place.bornMs);
    }
    this.shown.set(device, now);
  }

  answered(batch: CommandBatch, answer: CommandAnswer, facts: { worker: string; atMs: number }): void {
    for (const { commandId, outcome } of answer.results) {
      this.deeds.push({ commandId, deviceId: batch.deviceId, outcome, ...facts });
    }
  }

  /** The commands of a device that nobody took out, oldest first. */
  intentsOf(device: string): Intent[] {
    return [...this.intents.values()]
      .filter((intent) => intent.device === device)
      .toSorted((a, b) => a.place - b.place);
  }
}
