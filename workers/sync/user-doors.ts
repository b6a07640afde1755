/** The part of the sync worker's door that is about what the signed-in user writes: commands, drafts, the card. */
import { AppError, ERROR_TEXTS } from '../../src/contract/errors.ts';
import type { OutboxView } from '../../src/contract/outbox.ts';
import type { CatchUpCard, DraftTexts } from '../../src/contract/worker.ts';
import { AnswerDoors } from './answer-doors.ts';
import type { Answer, Stop, SyncApi } from './api.ts';
import { findApplied } from './outbox/applied-commands.ts';
import { settle } from './actions/settle.ts';
import type { UserSync } from './user-sync.ts';

export abstract class UserDoors extends AnswerDoors {
  protected user: UserSync | null = null;

  send(...asked: Parameters<SyncApi['send']>): ReturnType<SyncApi['send']> {
    return settle(() => this.someone().send(...asked));
  }

  async subscribeOutbox(listener: (outbox: OutboxView) => void): Promise<Stop> {
    return this.questions.ask((user) => user.outbox.subscribe(listener));
  }

  redoCommand(commandId: string): ReturnType<SyncApi['redoCommand']> {
    return settle(() => this.someone().redo(commandId));
  }

  dropCommand(commandId: string): Promise<Answer<null>> {
    return settle(() =>
      this.someone()
        .outbox.drop(commandId)
        .then(() => null),
    );
  }

  appliedCommands(commandIds: readonly string[]): Promise<Answer<string[] | null>> {
    return settle(() => findApplied(this.http, commandIds));
  }

  async subscribeDrafts(listener: (drafts: DraftTexts) => void): Promise<Stop> {
    return this.questions.ask((user) => user.drafts.subscribe(listener));
  }

  writeDraft(key: string, text: string | null): Promise<Answer<null>> {
    return settle(() =>
      this.someone()
        .drafts.write(key, text)
        .then(() => null),
    );
  }

  async subscribeCatchUp(listener: (card: CatchUpCard | null) => void): Promise<Stop> {
    return this.questions.ask((user) => user.catchUp.subscribe(listener));
  }

  async dismissCatchUp(): Promise<void> {
    await this.user?.catchUp.dismiss();
  }

  protected someone(): UserSync {
    if (this.user === null) throw new AppError('unauthorized', ERROR_TEXTS.unauthorized);
    return this.user;
  }
}
