/**
 * What was filled into a responder's form, as texts: the row's properties over the team's defaults. Defaults are
 * templates: the incident's words stand in place of `{{title}}` (also `{{.incident.title}}`, `${incident.title}`).
 * What a person wrote is taken as it is.
 */
import { isRecord, recordOf } from '../../../../src/lib/is-record.ts';
import type { IncidentFacts } from './adapter.ts';
import { MESSAGES } from './messages.ts';
import { unusable } from './outside-failure.ts';

/** Apps store chosen options as the text, or as the whole option (contract §13). */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (!isRecord(value)) return '';
  const told = value['value'] ?? value['id'] ?? value['key'] ?? value['type'] ?? value['name'];
  return typeof told === 'object' ? '' : textOf(told);
}

function fillIn(text: string, incident: IncidentFacts): string {
  const known = new Map<string, string>(Object.entries({ ...incident, incident_id: incident.number }));
  return text.replaceAll(
    /\{\{\s*\.?(?:incident\.)?(\w+)\s*\}\}|\$\{(?:incident\.)?(\w+)\}/g,
    (whole, braced: string | undefined, dollar: string | undefined) =>
      known.get(braced ?? dollar ?? '') ?? whole,
  );
}

/** The form's fields; one that is empty takes the team's default. */
export function fieldsOf(
  { properties, defaults }: { properties: unknown; defaults: unknown },
  incident: IncidentFacts,
): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(recordOf(defaults)))
    fields[name] = fillIn(textOf(value), incident);
  for (const [name, value] of Object.entries(recordOf(properties))) {
    const text = textOf(value);
    if (text !== '') fields[name] = text;
  }
  return fields;
}

/** Throws a failure that no retry mends, with the field's name. */
export function needField(fields: Readonly<Record<string, string>>, name: string): string {
  const value = fields[name] ?? '';
  if (value.trim() === '') throw unusable(MESSAGES.missingField(name));
  return value;
}
