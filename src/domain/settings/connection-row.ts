/** A connection's form as its row, and back (contract §10, §19.8). */
import { recordOf } from '../../lib/is-record.ts';
import type { ConnectionField, ConnectionType } from './connection-fields.ts';

/** What the form holds: texts and yes/no, by where they are kept. */
export interface ConnectionValues {
  name: string;
  namespace: string;
  [column: string]: unknown;
  properties: Record<string, unknown>;
}

type Row = Readonly<Record<string, unknown>>;

const PROPERTY = 'properties.';
/** How the server shows what it keeps secret. */
const STARS = '***';

function valueAt(values: Row, at: string): unknown {
  if (!at.startsWith(PROPERTY)) return values[at];
  return recordOf(values['properties'])[at.slice(PROPERTY.length)];
}

function textAt(values: Row, at: string): string {
  const value = valueAt(values, at);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}

/**
 * The address of a type that makes it of its values. What is filled in is encoded, so that no value can change
 * what the rest means; `{{…}}` takes an address as it is, `{at?yes:no}` one of two words.
 */
function addressOf(template: string, values: Row): string {
  return template
    .replaceAll(/\{\{([\w.]+)\}\}/g, (_, at: string) => textAt(values, at))
    .replaceAll(
      /\{([\w.]+)\?(\w+:\w+)\}/g,
      (_, at: string, either: string) => either.split(':')[valueAt(values, at) === true ? 0 : 1] ?? '',
    )
    .replaceAll(/\{([\w.]+)\}/g, (_, at: string) => encodeURIComponent(textAt(values, at)));
}

function initialOf(field: ConnectionField): unknown {
  return field.kind === 'check' ? false : (field.initial ?? '');
}

/** What the form starts from: the row, or the type's defaults. */
export function connectionValues(type: ConnectionType, row: Row | null): ConnectionValues {
  const properties: Record<string, unknown> = {};
  const values: ConnectionValues = {
    name: row === null ? '' : textAt(row, 'name'),
    namespace: row === null ? 'default' : textAt(row, 'namespace') || 'default',
    properties,
  };
  for (const field of type.fields) {
    const kept = row === null ? undefined : valueAt(row, field.at);
    const missing = row === null ? initialOf(field) : field.kind === 'check' ? false : '';
    const value = field.kind === 'check' ? kept === true : (kept ?? missing);
    if (field.at.startsWith(PROPERTY)) properties[field.at.slice(PROPERTY.length)] = value;
    else values[field.at] = value;
  }
  return values;
}

/**
 * What a new one of this type starts with after others were begun: what was typed stays in every field that this type has
 * as well, and is of the same kind. `typed` are the values of the forms before, the latest last.
 */
export function carriedValues(
  type: ConnectionType,
  typed: readonly { type: ConnectionType; values: ConnectionValues }[],
): ConnectionValues {
  const values = connectionValues(type, null);
  for (const { type: before, values: given } of typed) {
    values.name = given.name;
    values.namespace = given.namespace;
    for (const { at, kind } of type.fields) {
      const known = before.fields.find((field) => field.at === at);
      // What nobody changed was that type's own default.
      if (known?.kind !== kind || valueAt(given, at) === initialOf(known)) continue;
      if (at.startsWith(PROPERTY)) values.properties[at.slice(PROPERTY.length)] = valueAt(given, at);
      else values[at] = valueAt(given, at);
    }
  }
  return values;
}

/**
 * The columns to write. Properties are texts; what the type doesn't have is left alone: of `row`, which is changed, the
 * properties that no field is for.
 */
export function connectionColumns(
  type: ConnectionType,
  values: ConnectionValues,
  row: Row | null = null,
): Record<string, unknown> {
  const columns: Record<string, unknown> = {
    name: values.name.trim(),
    namespace: values.namespace.trim(),
    type: type.type,
  };
  const properties: Record<string, string> = {};
  for (const field of type.fields) {
    if (field.at.startsWith(PROPERTY))
      properties[field.at.slice(PROPERTY.length)] = textAt(values, field.at).trim();
    else columns[field.at] = field.kind === 'check' ? values[field.at] === true : textAt(values, field.at);
  }
  if (Object.keys(properties).length > 0)
    columns['properties'] = { ...recordOf(row?.['properties']), ...properties };
  const address = type.url === undefined ? null : addressOf(type.url, values);
  // Made of what is kept secret and shown as stars: the address that is there is the right one.
  if (address !== null && !address.includes(STARS)) columns['url'] = address;
  return columns;
}

/** What is wrong with the form, by where the value is kept. */
export function missingFields(type: ConnectionType, values: ConnectionValues): string[] {
  const required = [
    'name',
    'namespace',
    ...type.fields.filter((f) => f.isRequired === true).map((f) => f.at),
  ];
  return required.filter((at) => textAt(values, at).trim() === '');
}

/** Number fields that hold no number. */
export function wrongNumbers(type: ConnectionType, values: ConnectionValues): string[] {
  return type.fields
    .filter((field) => field.kind === 'number')
    .map((field) => field.at)
    .filter((at) => textAt(values, at) !== '' && !/^\d+$/.test(textAt(values, at).trim()));
}
