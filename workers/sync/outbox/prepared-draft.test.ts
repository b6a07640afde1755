/** A prepared run starts only when somebody says so (design §4 law 9): nothing that sends can send it. */
import { expect, test } from 'vitest';
import { COMMAND_NAMES, parseCommand } from '../../../src/contract/commands/all-commands.ts';
import { outboxItemSchema } from '../../../src/contract/outbox/outbox.ts';
import { PREPARED_RUN } from '../../../src/domain/playbook/prepared-run.ts';
import { mayBeDropped, isExpired, pickBatch } from './outbox-rules.ts';
import { preparedDraft } from './prepared-draft.ts';
import { readStoredItem, toStored } from './storage/stored-item.ts';

const run = {
  playbookId: 'p',
  playbook: 'Restart',
  playbookUpdatedAt: null,
  resource: null,
  health: null,
  params: { reason: 'it hangs' },
};
const item = outboxItemSchema.parse({
  ...preparedDraft(run, { userId: 'u', nowMs: 1000 }),
  commandId: 'a',
  order: 1,
});

test('the sender never picks it, however long it waits', () => {
  expect(pickBatch([item], { isHeld: () => false, limit: 10 })).toEqual({ kind: 'send', orders: [] });
  expect(isExpired(item, Number.MAX_SAFE_INTEGER)).toBe(false);
});

test('no command has its name, so that doing it again cannot send it either', () => {
  expect(COMMAND_NAMES).not.toContain(PREPARED_RUN);
  expect(() => parseCommand({ name: PREPARED_RUN, args: run })).toThrow('Unknown command');
});

test('it is kept as it was written, and may be dropped', () => {
  expect(readStoredItem(toStored(item))).toMatchObject({ item: { args: run }, isReadable: true });
  expect(mayBeDropped(item)).toBe(true);
});
