/** What is written down together and handed over in parts, so that the page is drawn in between. */
import type { ActionArgs } from '../../../src/contract/actions/action-definition.ts';
import type { SyncActions } from '../../../src/contract/actions/sync-actions.ts';
import { AppError } from '../../../src/contract/errors.ts';

type Parts = ActionArgs<SyncActions['send-commands']>;

/** The parts until the last one is here; they go with their user. */
export class GatheredCommands {
  private readonly byUser = new WeakMap<object, Map<string, Parts['commands']>>();

  /** All of them with the last part, else null. Throws where parts before it went to another worker or user. */
  add(user: object, { commands: part, key, start, isLast }: Omit<Parts, 'holdMs'>): Parts['commands'] | null {
    const ofUser = this.byUser.get(user) ?? new Map<string, Parts['commands']>();
    this.byUser.set(user, ofUser);
    const commands = start === 0 ? [] : (ofUser.get(key) ?? []);
    if (commands.length !== start) {
      ofUser.delete(key);
      throw new AppError(
        'cancelled',
        'Nothing was saved: this device began anew meanwhile. Please do it again.',
      );
    }
    for (const one of part) commands.push(one);
    if (isLast) ofUser.delete(key);
    else ofUser.set(key, commands);
    return isLast ? commands : null;
  }
}
