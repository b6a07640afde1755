/** What every command promises, whatever it does. */
import { describe, expect, test } from 'vitest';
import { acknowledgementOf } from '../../domain/notification/acknowledgement.ts';
import { incidentRecordSchema, incidentRowSchema } from '../collection-rows.ts';
import { COLLECTIONS } from '../collections.ts';
import { shiftNoteOf } from '../../domain/shift/shift-note.ts';
import { silenceOfRow } from '../../domain/notification/silence-row.ts';
import { AppError } from '../errors.ts';
import { COMMAND_NAMES, commandNamed, parseCommand, type CommandName } from './all-commands.ts';
import type { RowEdit } from './define-command.ts';

const [a, b, c] = [
  '0192d5a4-0000-7000-8000-00000000000a',
  '0192d5a4-0000-7000-8000-00000000000b',
  '0192d5a4-0000-7000-8000-00000000000c',
];
const context = { userId: c, at: '2024-06-01T12:00:00.000Z' };

/** The least that each takes. */
const EXAMPLES: Record<CommandName, unknown> = {
  run_check: { checkId: a },
  create_incident: { id: a, rootHypothesisId: b, title: 'Down' },
  edit_incident: { id: a, changes: { title: 'Still down' } },
  set_incident_status: { id: a, from: 'open', to: 'mitigated' },
  create_hypothesis: { id: b, incidentId: a, title: 'Disk' },
  edit_hypothesis: { id: b, incidentId: a, changes: { status: 'proven' } },
  delete_hypothesis: { id: b, incidentId: a },
  add_evidence: { id: c, incidentId: a, hypothesisId: b, type: 'comment', evidence: { comment: 'x' } },
  edit_evidence: { id: c, incidentId: a, changes: { definition_of_done: true } },
  delete_evidence: { id: c, incidentId: a },
  evaluate_done: { incidentId: a },
  add_comment: { id: c, incidentId: a, comment: 'hello' },
  edit_comment: { id: c, incidentId: a, comment: 'hello again' },
  delete_comment: { id: c, incidentId: a },
  add_responder: { id: c, incidentId: a, type: 'person', personId: b },
  remove_responder: { id: c, incidentId: a },
  retry_responder: { id: c, incidentId: a },
  mark_incident_read: { id: c, incidentId: a, readAt: '2024-06-01T12:00:00.123456+00:00' },
  acknowledge: { id: c, kind: 'check', resourceId: a },
  end_acknowledgement: { id: c, kind: 'check', resourceId: a },
  set_responder_progress: { id: c, incidentId: a, step: 'acknowledged', isSet: true },
  create_silence: { silenceId: a, check_id: b, from: '2024-06-01T12:00:00Z', until: '2024-06-01T13:00:00Z' },
  retry_notification: { historyId: a },
  change_thing: { table: 'canaries', id: a, change: { do: 'pause' }, shows: [b] },
  run_thing: { table: 'config_scrapers', id: a },
  save_shift_note: { noteId: a, text: 'Quiet.', shiftFrom: '2024-06-01T06:00:00Z' },
  edit_shift_note: { noteId: a, text: 'Not so quiet.' },
};

function parsed(name: CommandName) {
  return parseCommand({ name, args: EXAMPLES[name] });
}

function rowOf(edit: RowEdit): string {
  return edit.kind === 'put' ? edit.row.id : edit.id;
}

describe.each(COMMAND_NAMES)('%s', (name) => {
  test('is found by its name and takes its least arguments', () => {
    expect(commandNamed(name)?.name).toBe(name);
    expect(parsed(name).definition.version).toBeGreaterThan(0);
  });

  test('keeps in order whatever it makes or shows', () => {
    const { definition, args } = parsed(name);
    const touches = definition.touches(args);
    expect(touches.length).toBeGreaterThan(0);
    expect(touches).toEqual(expect.arrayContaining(definition.creates(args)));
    for (const edit of definition.effect(args, context)) expect(touches).toContain(rowOf(edit));
  });

  test('shows rows that look like those of the server', () => {
    const { definition, args } = parsed(name);
    for (const edit of definition.effect(args, context)) {
      expect(COLLECTIONS).toContain(edit.collection);
      if (edit.kind !== 'put') continue;
      if (edit.collection === 'resources') {
        if (name === 'create_silence') expect(silenceOfRow(edit.row)).toMatchObject({ checkId: b });
        else if (name === 'save_shift_note') expect(shiftNoteOf(edit.row)).toMatchObject({ text: 'Quiet.' });
        else expect(acknowledgementOf(edit.row)).not.toBeNull();
        continue;
      }
      const schema = edit.collection === 'incidents' ? incidentRowSchema : incidentRecordSchema;
      expect(schema.safeParse(edit.row).error).toBeUndefined();
    }
  });

  test('asks for the fields that it changes, where it changes fields of a row', () => {
    const { definition, args } = parsed(name);
    const asked = definition.precondition(args);
    const set = definition.effect(args, context).find((edit) => edit.kind === 'set');
    if (asked !== null) expect(asked.fields.toSorted()).toEqual(Object.keys(set?.fields ?? {}).toSorted());
  });

  test('refuses an id that is none, and names the field', () => {
    const args = EXAMPLES[name] as Record<string, unknown>;
    const field =
      ['id', 'checkId', 'incidentId', 'silenceId', 'historyId', 'noteId'].find((known) => known in args) ??
      '';
    const broken = () => parseCommand({ name, args: { ...args, [field]: 'nonsense' } });
    expect(broken).toThrow(AppError);
    expect(broken).toThrow(new RegExp(`^${field}: `));
  });
});

test('a command that this version does not know is refused as invalid', () => {
  expect(() => parseCommand({ name: 'drop_everything', args: {} })).toThrow('Unknown command');
});

test('only what acts outside expires', () => {
  const expiring = COMMAND_NAMES.filter((name) => commandNamed(name)?.expiresAfterMs !== null);
  expect(expiring).toEqual(['run_check', 'run_thing']);
});

test('a responder is a person or a team, not both and not neither', () => {
  const base = { id: c, incidentId: a, type: 'person' };
  expect(() => parseCommand({ name: 'add_responder', args: base })).toThrow('Choose a person or a team');
  expect(() => parseCommand({ name: 'add_responder', args: { ...base, personId: a, teamId: b } })).toThrow(
    'Choose a person or a team',
  );
});

describe('a change of a thing', () => {
  const refused = (args: object) => () => parseCommand({ name: 'change_thing', args: { id: a, ...args } });

  test('is refused where such a thing has none of it', () => {
    expect(refused({ table: 'teams', change: { do: 'pause' } })).toThrow(/^change: /);
    expect(refused({ table: 'connections', change: { do: 'label', labels: { set: { a: 'b' } } } })).toThrow(
      /^change: /,
    );
  });

  test('names what is wrong with a label or a namespace', () => {
    const label = (labels: object) => refused({ table: 'canaries', change: { do: 'label', labels } });
    expect(label({})).toThrow('Name a label');
    expect(label({ set: { 'no spaces': '' } })).toThrow('Letters, digits');
    expect(refused({ table: 'canaries', change: { do: 'move', namespace: ' ' } })).toThrow(
      'Please name a namespace',
    );
  });

  test('shows the checks of a paused canary as not run, and takes those of a deleted one away', () => {
    const editsOf = (change: object) => {
      const { definition, args } = parseCommand({
        name: 'change_thing',
        args: { table: 'canaries', id: a, change, shows: [b] },
      });
      return definition.effect(args, context);
    };
    expect(editsOf({ do: 'pause' })).toEqual([
      { kind: 'set', collection: 'checks', id: b, fields: { not_run_reason: 'paused', status: null } },
    ]);
    expect(editsOf({ do: 'delete' })).toEqual([
      { kind: 'remove', collection: 'checks', id: b },
      { kind: 'remove', collection: 'canaries', id: a },
    ]);
  });
});

test('an empty title is refused with what to do', () => {
  const args = { id: a, rootHypothesisId: b, title: '   ' };
  expect(() => parseCommand({ name: 'create_incident', args })).toThrow('title: Please provide a title');
});
