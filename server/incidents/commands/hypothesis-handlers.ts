/**
 * The tree of hypotheses: root, factor, solution, one below the other. A deleted one takes its comments and evidences
 * along; its children move up and become what stands there, so that a solution below the root is a factor.
 */
import { given } from '../../../src/contract/commands/fields.ts';
import {
  createHypothesis,
  deleteHypothesis,
  editHypothesis,
} from '../../../src/contract/commands/hypothesis-commands.ts';
import { handleCommand } from '../../replication/commands/command-handler.ts';
import type { CommandHandler } from '../../replication/commands/command-handler.ts';
import { CommandRefused } from '../../replication/commands/command-refused.ts';
import { isAtOrBelow, lockHypothesis } from './entity-query.ts';
import { MESSAGES } from '../../replication/commands/messages.ts';
import { mergeEdit, ofIncident, requireHypothesis, requireIncident } from './require-entity.ts';

const create = handleCommand(createHypothesis, async (args, context) => {
  const { id, incidentId, parentId, title, type, status } = args;
  await requireIncident(context, incidentId, 'reference');
  if (parentId !== null) {
    await requireHypothesis(context, { id: parentId, incidentId, mode: 'reference' });
  }
  await context.writer.insert('hypotheses', {
    id,
    incident_id: incidentId,
    parent_id: parentId,
    title,
    type,
    status,
    created_by: context.sender.personId,
  });
});

const edit = handleCommand(editHypothesis, async ({ id, incidentId, changes }, context) => {
  const { parent_id: parentId } = changes;
  if (parentId !== undefined && parentId !== null) {
    // Alone, or two moves at a time could hang two hypotheses below each other.
    await requireIncident(context, incidentId, 'edit');
  }
  const row = await requireHypothesis(context, { id, incidentId, mode: 'edit' });
  if (parentId !== undefined && parentId !== null) {
    await requireHypothesis(context, { id: parentId, incidentId, mode: 'reference' });
    if (await isAtOrBelow(context.tx, parentId, id)) {
      throw new CommandRefused('invalid', MESSAGES.ownAncestor);
    }
  }
  await mergeEdit(context, { table: 'hypotheses', row, wanted: given(changes) });
});

const remove = handleCommand(deleteHypothesis, async ({ id, incidentId }, { tx, writer }) => {
  const row = await lockHypothesis(tx, id, 'removal');
  // What the sender wants is so already.
  if (row === null) return;
  ofIncident(row, incidentId, 'hypothesis');
  await writer.remove('comments', { hypothesis_id: id });
  await writer.remove('evidences', { hypothesis_id: id });
  const parent = row.parent_id === null ? null : await lockHypothesis(tx, row.parent_id, 'reference');
  const moved = { parent_id: row.parent_id };
  if (parent?.type === 'root') {
    await writer.patch('hypotheses', { parent_id: id, type: 'solution' }, { ...moved, type: 'factor' });
  }
  await writer.patch('hypotheses', { parent_id: id }, moved);
  await writer.remove('hypotheses', { id });
});

export const HYPOTHESIS_HANDLERS: readonly CommandHandler[] = [create, edit, remove];
