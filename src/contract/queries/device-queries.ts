/** Queries for what this device has of the user besides rows: what is to be sent, begun texts, the catch-up card. */
import { z } from 'zod';
import type { OutboxUpdate } from '../outbox/outbox.ts';
import type { CatchUpCard, DraftTexts } from '../worker.ts';
import { valueQuery } from './query-definition.ts';

const nothing = z.object({});

export const DEVICE_QUERIES = {
  /** What this device still has to send, refused commands included. */
  outbox: valueQuery<OutboxUpdate>()(nothing),
  /** Texts that the user began and has not sent. */
  drafts: valueQuery<DraftTexts>()(nothing),
  /** What happened while this device was away; null when there is nothing to show. */
  'catch-up': valueQuery<CatchUpCard | null>()(nothing),
};
