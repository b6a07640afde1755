/** Every command by name, and how a request becomes one. */
import type { z } from 'zod';
import { AppError } from '../errors.ts';
import { acknowledge, endAcknowledgement } from './acknowledge-commands.ts';
import { runCheck } from './check-commands.ts';
import { addComment, deleteComment, editComment } from './comment-commands.ts';
import type { CommandDefinition } from './define-command.ts';
import { evaluateDone } from './done-commands.ts';
import { addEvidence, deleteEvidence, editEvidence } from './evidence-commands.ts';
import { createHypothesis, deleteHypothesis, editHypothesis } from './hypothesis-commands.ts';
import { createIncident, editIncident, setIncidentStatus } from './incident-commands.ts';
import { createSilence, retryNotification } from './notification-commands.ts';
import { markIncidentRead } from './read-commands.ts';
import { addResponder, removeResponder, retryResponder } from './responder-commands.ts';
import { editShiftNote, saveShiftNote } from './shift-commands.ts';
import { setResponderProgress } from './responder-progress-command.ts';
import { changeThing, runThing } from './thing-commands.ts';

const DEFINITIONS = [
  runCheck,
  createIncident,
  editIncident,
  setIncidentStatus,
  createHypothesis,
  editHypothesis,
  deleteHypothesis,
  addEvidence,
  editEvidence,
  deleteEvidence,
  evaluateDone,
  addComment,
  editComment,
  deleteComment,
  addResponder,
  removeResponder,
  retryResponder,
  markIncidentRead,
  setResponderProgress,
  acknowledge,
  endAcknowledgement,
  createSilence,
  retryNotification,
  changeThing,
  runThing,
  saveShiftNote,
  editShiftNote,
] as const;

type AnyDefinition = (typeof DEFINITIONS)[number];
export type CommandName = AnyDefinition['name'];

/** What the app sends: a name with its arguments as the definition takes them. */
export type CommandRequest = {
  [Definition in AnyDefinition as Definition['name']]: {
    name: Definition['name'];
    args: z.input<Definition['args']>;
  };
}[CommandName];

// Each definition's functions take its own parsed arguments; whoever looks one up by name parses them first.
const BY_NAME = new Map<string, CommandDefinition>(
  DEFINITIONS.map((definition) => [definition.name, definition as unknown as CommandDefinition]),
);

/** The definition of that name; undefined when this version doesn't know it. */
export function commandNamed(name: string): CommandDefinition | undefined {
  return BY_NAME.get(name);
}

export const COMMAND_NAMES: readonly CommandName[] = DEFINITIONS.map((definition) => definition.name);

/** A request with its definition and parsed arguments; throws `invalid`, naming the field. */
export function parseCommand(request: { name: string; args: unknown }): {
  definition: CommandDefinition;
  args: unknown;
} {
  const definition = commandNamed(request.name);
  if (definition === undefined) throw new AppError('invalid', `Unknown command ${request.name}`);
  const parsed = definition.args.safeParse(request.args);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.path.join('.') ?? '';
    throw new AppError(
      'invalid',
      field === '' ? (issue?.message ?? '') : `${field}: ${issue?.message ?? ''}`,
    );
  }
  return { definition, args: parsed.data };
}
