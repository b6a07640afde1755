/** Evidence: deleted for good (schema §1.3). */
import {
  addEvidence,
  deleteEvidence,
  editEvidence,
} from '../../../src/contract/commands/evidence-commands.ts';
import { given } from '../../../src/contract/commands/fields.ts';
import { handleCommand } from '../../replication/commands/command-handler.ts';
import type { CommandHandler } from '../../replication/commands/command-handler.ts';
import { lockEvidence } from './entity-query.ts';
import { mergeEdit, ofIncident, present, requireHypothesis } from './require-entity.ts';

const add = handleCommand(addEvidence, async ({ incidentId, hypothesisId, ...fields }, context) => {
  await requireHypothesis(context, { id: hypothesisId, incidentId, mode: 'reference' });
  await context.writer.insert('evidences', {
    ...fields,
    hypothesis_id: hypothesisId,
    created_by: context.sender.personId,
  });
});

const edit = handleCommand(editEvidence, async ({ id, incidentId, changes }, context) => {
  const found = present(await lockEvidence(context.tx, id, 'edit'), 'evidence');
  const row = ofIncident(found, incidentId, 'evidence');
  await mergeEdit(context, { table: 'evidences', row, wanted: given(changes) });
});

const remove = handleCommand(deleteEvidence, async ({ id, incidentId }, { tx, writer }) => {
  const row = await lockEvidence(tx, id, 'removal');
  // What the sender wants is so already.
  if (row === null) return;
  ofIncident(row, incidentId, 'evidence');
  await writer.remove('evidences', { id });
});

export const EVIDENCE_HANDLERS: readonly CommandHandler[] = [add, edit, remove];
