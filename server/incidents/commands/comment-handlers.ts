/** Comments: everybody adds; who changes one is in policies/comment-policy.ts. */
import { addComment, deleteComment, editComment } from '../../../src/contract/commands/comment-commands.ts';
import { mayChangeComment } from '../../access/policies/comment-policy.ts';
import { handleCommand } from '../../replication/commands/command-handler.ts';
import type { CommandContext, CommandHandler } from '../../replication/commands/command-handler.ts';
import { CommandRefused } from '../../replication/commands/command-refused.ts';
import { lockComment, lockResponder } from './entity-query.ts';
import type { RecordEntity } from './entity-query.ts';
import { MESSAGES } from '../../replication/commands/messages.ts';
import { mergeEdit, ofIncident, present, requireHypothesis, requireIncident } from './require-entity.ts';

function refuseOthers({ sender }: CommandContext, comment: RecordEntity): void {
  if (!mayChangeComment(sender, comment.created_by))
    throw new CommandRefused('forbidden', MESSAGES.notYourComment);
}

const add = handleCommand(addComment, async (args, context) => {
  const { id, incidentId, hypothesisId, responderId, comment } = args;
  await requireIncident(context, incidentId, 'reference');
  if (hypothesisId !== null) {
    await requireHypothesis(context, { id: hypothesisId, incidentId, mode: 'reference' });
  }
  if (responderId !== null) {
    const responder = present(await lockResponder(context.tx, responderId, 'reference'), 'responder');
    ofIncident(responder, incidentId, 'responder');
  }
  await context.writer.insert('comments', {
    id,
    comment,
    incident_id: incidentId,
    hypothesis_id: hypothesisId,
    responder_id: responderId,
    created_by: context.sender.personId,
  });
});

const edit = handleCommand(editComment, async ({ id, incidentId, comment }, context) => {
  const found = present(await lockComment(context.tx, id, 'edit'), 'comment');
  const row = ofIncident(found, incidentId, 'comment');
  refuseOthers(context, row);
  await mergeEdit(context, { table: 'comments', row, wanted: { comment } });
});

const remove = handleCommand(deleteComment, async ({ id, incidentId }, context) => {
  const row = await lockComment(context.tx, id, 'removal');
  // What the sender wants is so already.
  if (row === null) return;
  ofIncident(row, incidentId, 'comment');
  refuseOthers(context, row);
  await context.writer.remove('comments', { id });
});

export const COMMENT_HANDLERS: readonly CommandHandler[] = [add, edit, remove];
