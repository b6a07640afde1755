import { errorText } from '../../contract/errors.ts';
import type { BulkState } from '../../domain/bulk/bulk-report.ts';
import type { BulkVerb } from '../../domain/bulk/bulk-verbs.ts';
import type { IncidentStatus } from '../../domain/incident/incident.ts';

const number = (count: number) => count.toLocaleString('en-US');

/** What each verb is called where something was done. */
const verbNames = {
  acknowledge: 'Acknowledge',
  assign: 'Assign',
  status: 'Status',
  resend: 'Send again',
  cancel: 'Cancel',
  role: 'Role',
  activate: 'Activate',
  deactivate: 'Deactivate',
  run: 'Run now',
  pause: 'Pause',
  resume: 'Resume',
  end: 'End now',
  label: 'Label',
  move: 'Move',
  delete: 'Delete',
  revoke: 'Revoke',
} satisfies Record<BulkVerb, string>;

const ASKING: ReadonlySet<BulkVerb> = new Set(['acknowledge', 'assign', 'status', 'role', 'label', 'move']);
const FINAL = 'This can’t be undone.';
const CONFIRMED: Readonly<Partial<Record<BulkVerb, { verb: string; text: string }>>> = {
  delete: { verb: 'Delete', text: FINAL },
  revoke: { verb: 'Revoke', text: `They have to be paired again. ${FINAL}` },
  cancel: { verb: 'Cancel', text: `Steps that run are ended. ${FINAL}` },
  deactivate: { verb: 'Deactivate', text: 'They are signed out and cannot sign in.' },
};

/** Everything that the bar of a list says. */
export const messages = {
  region: 'What is chosen',
  chosen: (count: number) => `${number(count)} chosen`,
  all: (count: number) => `Choose all ${number(count)} that match`,
  clear: 'Choose none',
  needsServer: 'This needs the server, which can’t be reached now',
  verb: (verb: BulkVerb) => (ASKING.has(verb) ? `${verbNames[verb]} …` : verbNames[verb]),
  done: verbNames,
  undoing: (title: string) => `Undo: ${title}`,
  /** `isHeld`: for a moment it can be taken back. */
  confirmation: (verb: BulkVerb, what: string, isHeld: boolean) => ({
    title: `${CONFIRMED[verb]?.verb ?? verbNames[verb]} ${what}?`,
    text: isHeld ? 'They stop at once. For ten seconds you can undo it.' : (CONFIRMED[verb]?.text ?? ''),
    // "Cancel" alone is the other button.
    confirm: verb === 'cancel' ? `${verbNames.cancel} ${what}` : verbNames[verb],
  }),
  count: (count: number, [one, many]: readonly [string, string]) =>
    `${number(count)} ${count === 1 ? one : many}`,
  ofKind: (name: string, noun: string) => `${name} (${noun})`,
  ofCanaries: (checks: number, canaries: number) =>
    `${number(checks)} ${checks === 1 ? 'check' : 'checks'} of ${number(canaries)} ${canaries === 1 ? 'document' : 'documents'}: all checks of these change`,
  label: {
    title: 'Labels',
    name: 'Name',
    value: 'Value',
    remove: 'Take this label away instead',
    apply: 'Apply',
  },
  move: { title: 'Move to a namespace', namespace: 'Namespace', apply: 'Move' },
  acknowledge: {
    title: 'Acknowledge',
    until: 'Until',
    well: 'it is well again',
    over: 'it is resolved',
    hours: (hours: number) => (hours === 1 ? '1 hour from now' : `${hours} hours from now`),
    apply: 'Acknowledge',
  },
  assign: {
    title: 'Assign',
    as: 'As',
    roles: { commander_id: 'Commander', communicator_id: 'Communicator' },
    person: 'Person',
    nobody: 'Nobody',
    apply: 'Assign',
  },
  status: {
    title: 'Status',
    to: 'New status',
    words: {
      new: 'New',
      open: 'Open',
      investigating: 'Investigating',
      mitigated: 'Mitigated',
      resolved: 'Resolved',
      closed: 'Closed',
    } satisfies Record<IncidentStatus, string>,
    leftOut: (count: number) =>
      count === 1
        ? '1 of them can’t go there from its status'
        : `${number(count)} of them can’t go there from their status`,
    looking: 'Looking at their definitions of done …',
    notDone: (count: number) =>
      count === 1
        ? 'The definition of done of 1 of them is not done:'
        : `The definitions of done of ${number(count)} of them are not done:`,
    takeAlong: 'Change these, too',
    apply: (count: number) => `Change ${number(count)}`,
  },
  role: { title: 'Role', role: 'Role', apply: 'Change' },
  report: {
    region: 'What came of it',
    saving: 'Saving …',
    undo: 'Undo',
    stop: 'Stop the rest',
    undone: 'Undone: nothing was sent',
    progress: 'Done so far',
    states: {
      waiting: 'waiting',
      done: 'done',
      refused: 'refused',
      'taken-back': 'taken back',
    } satisfies Record<BulkState, string>,
    figures: (figures: Readonly<Record<BulkState, number>>) =>
      [
        figures.done > 0 ? `${number(figures.done)} done` : '',
        figures.waiting > 0 ? `${number(figures.waiting)} waiting` : '',
        figures.refused > 0 ? `${number(figures.refused)} refused` : '',
        figures['taken-back'] > 0 ? `${number(figures['taken-back'])} taken back` : '',
      ]
        .filter((text) => text !== '')
        .join(', '),
    each: 'One by one',
    more: (count: number) => `and ${number(count)} more`,
    close: 'Close',
    failed: 'Not saved',
    nothing: 'Nothing to change among what is chosen',
  },
  errorText,
} as const;
