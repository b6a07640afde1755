/**
 * A responder's details form (spec 3 §5) as a pure rule: which fields can be chosen from what, what they hold,
 * and whether they may be sent. Invariants: what the user edited is never overwritten by a default; a field that
 * needs another is empty until that one is chosen; a value that its options don't have counts as empty.
 */
import { recordOf, isRecord } from '../../lib/is-record.ts';
import { renderTemplate, valueAt } from './responder-template.ts';
import { responderFields, type ResponderClient, type ResponderField } from './responder-type.ts';
import { lookupTable } from '../../lib/lookup-table.ts';
import { MAIL_ADDRESS } from '../../lib/mail-address.ts';

export interface FieldOption {
  value: string;
  label: string;
}

export interface FormQuestion {
  type: string;
  client: ResponderClient;
  /** What stands for the outside systems of that type. */
  instances: readonly FieldOption[];
  /** What templates may tell of the incident. */
  incident: Readonly<Record<string, unknown>>;
  /** What the user wrote or chose. */
  edits: Readonly<Record<string, string>>;
}

export interface FormField extends ResponderField {
  value: string;
  isDisabled: boolean;
  /** It holds the team's default, which names the number that the incident hasn't got yet: the server fills it in. */
  isLeftToServer: boolean;
  /** Null: free text. */
  options: readonly FieldOption[] | null;
}

type Loose = Readonly<Record<string, unknown>>;

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function wordOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The first of the keys that holds a word. */
function wordAt(one: unknown, keys: readonly string[]): string | null {
  for (const key of keys) {
    const word = wordOf(valueAt(one, [key]));
    if (word !== null) return word;
  }
  return null;
}

function optionOf(one: unknown): FieldOption | null {
  const value = wordOf(one) ?? wordAt(one, ['key', 'id', 'value', 'name']);
  return value === null ? null : { value, label: wordAt(one, ['name', 'label', 'title']) ?? value };
}

/** A list as options; null when it offers none. Maps of value to label are lists, too. */
function optionsFrom(found: unknown): FieldOption[] | null {
  const entries = isRecord(found)
    ? Object.entries(found).flatMap(([value, label]) => (typeof label === 'string' ? [{ value, label }] : []))
    : list(found).flatMap((one) => optionOf(one) ?? []);
  return entries.length === 0 ? null : entries;
}

/** The one of a list that an option stands for. */
function chosen(entries: unknown, value: string): Loose {
  return recordOf(list(entries).find((one) => optionOf(one)?.value === value));
}

/** How the server's templates call the incident's number, too. */
const NUMBER_NAMES = new Set(['number', 'incident_id']);
/** Stands in the form for a number that isn't given yet. */
const NO_NUMBER = 'INC-…';

/** What a placeholder says of the incident: `{{title}}` is short for `{{incident.title}}`. */
function ofIncident(incident: Loose, path: readonly string[]): unknown {
  const [root, ...rest] = path;
  const names = root === 'incident' ? rest : path;
  if (names.length !== 1 || !NUMBER_NAMES.has(names[0] ?? '')) return valueAt(incident, names);
  return valueAt(incident, ['incident_id']) || NO_NUMBER;
}

/** True for a template that asks for the incident's number and for nothing that only this device knows. */
function asksForNumberOnly(template: unknown, incident: Loose): boolean {
  if (typeof template !== 'string' || valueAt(incident, ['incident_id']) !== '') return false;
  let hasNumber = false;
  let isPlain = true;
  renderTemplate(template, (path) => {
    const names = path[0] === 'incident' ? path.slice(1) : path;
    hasNumber ||= names.length === 1 && NUMBER_NAMES.has(names[0] ?? '');
    isPlain &&= names.length === 1;
    return '';
  });
  return hasNumber && isPlain;
}

type Read = (field: string) => string;
type Choice = (values: Loose, read: Read) => unknown;

/** Where options are found besides under the field's own name. */
const CHOICES = lookupTable<Readonly<Record<string, Choice>>>({
  jira: {
    project: (values) => values['projects'],
    issueType: (values, read) =>
      chosen(values['projects'], read('project'))['issueTypes'] ?? values['issueTypes'],
    priority: (values, read) =>
      chosen(values['projects'], read('project'))['priorities'] ?? values['priorities'],
  },
  ms_planner: {
    plan_id: (values) => values['plans'],
    bucket_id: (values, read) => chosen(values['plans'], read('plan_id'))['buckets'] ?? values['buckets'],
    priority: (values) => values['priorities'],
  },
});

function optionsOf({ type, client, instances }: FormQuestion, field: string, read: Read) {
  if (field === 'configType') return instances;
  const choice = CHOICES[type]?.[field];
  const own = Object.hasOwn(client.values, field) ? client.values[field] : undefined;
  return optionsFrom(choice?.(client.values, read)) ?? optionsFrom(own);
}

/** Every field with what it holds now: edits first, then the team's defaults (spec 3 §5). */
export function formFields(question: FormQuestion): FormField[] {
  const { type, client, edits, incident } = question;
  const fields = responderFields(type);
  const known = new Map(fields.map((field) => [field.name, field]));

  // A template may ask for the same field a thousand times.
  const asked = new Map<string, string>();
  const read = (name: string, within: readonly string[]): string => {
    const field = known.get(name);
    // Defaults that fill each other in a circle are empty at the point where it closes.
    if (field === undefined || within.includes(name)) return '';
    const path = [...within, name];
    const key = path.join(' ');
    const before = asked.get(key);
    if (before !== undefined) return before;
    const value = held(field, path);
    asked.set(key, value);
    return value;
  };
  const held = (field: ResponderField, path: readonly string[]): string => {
    const { name } = field;
    if (field.needs !== null && read(field.needs, path) === '') return '';
    const raw = Object.hasOwn(edits, name) ? (edits[name] ?? '') : defaultOf(name, path);
    const options = optionsOf(question, name, (other) => read(other, path));
    if (options === null) return raw;
    return options.find(({ value, label }) => value === raw || label === raw)?.value ?? '';
  };
  const defaultOf = (name: string, path: readonly string[]): string => {
    const template = Object.hasOwn(client.defaults, name) ? client.defaults[name] : undefined;
    if (typeof template === 'number') return String(template);
    if (typeof template !== 'string') return '';
    return renderTemplate(template, (names) => {
      const [root, field] = names;
      return root === 'form' && field !== undefined ? read(field, path) : ofIncident(incident, names);
    });
  };

  const top = (name: string) => read(name, []);
  return fields.map((field) => ({
    ...field,
    value: top(field.name),
    isDisabled: field.needs !== null && top(field.needs) === '',
    options: optionsOf(question, field.name, top),
    isLeftToServer:
      !Object.hasOwn(edits, field.name) &&
      Object.hasOwn(client.defaults, field.name) &&
      asksForNumberOnly(client.defaults[field.name], incident),
  }));
}

/** What the user has edited after one more edit: choosing a field empties those that hang on it. */
export function editField(
  type: string,
  edits: Readonly<Record<string, string>>,
  change: { name: string; value: string },
): Readonly<Record<string, string>> {
  const field = responderFields(type).find(({ name }) => name === change.name);
  const cleared = new Set(field?.clears ?? []);
  const others = Object.entries(edits).filter(([name]) => !cleared.has(name));
  return { ...Object.fromEntries(others), [change.name]: change.value };
}

/** True when a field holds something that can be sent: every one that is shown is required (spec 3 §5). */
export function isFilled(type: string, { name, value }: Pick<FormField, 'name' | 'value'>): boolean {
  if (value.trim() === '') return false;
  if (type !== 'email' || name !== 'to') return true;
  return value.split(/[,;]/).every((address) => MAIL_ADDRESS.test(address.trim()));
}

/**
 * What is stored: the type as plain text with the fields beside it (contract §13 [!]); without those that the
 * server fills in from the same default once it has numbered the incident.
 */
export function responderProperties(
  type: string,
  fields: readonly Pick<FormField, 'name' | 'value' | 'isLeftToServer'>[],
): Record<string, string> {
  const told = fields.filter(({ isLeftToServer }) => !isLeftToServer);
  const values = Object.fromEntries(told.map(({ name, value }) => [name, value.trim()]));
  return { ...values, responderType: type };
}
