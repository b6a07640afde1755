/** The outbox's names without the contract's schemas; their types make the compiler compare both. */
import type * as Contract from '../../../src/contract/outbox/outbox.ts';

export const OUTBOX: typeof Contract.OUTBOX = 'outbox';
export const OUTBOX_SAVING: typeof Contract.OUTBOX_SAVING = 'outbox-saving';
export const OUTBOX_TABLE: typeof Contract.OUTBOX_TABLE = 'items';
