/**
 * The parameters of a playbook (contract §19.6): what each starts with, what it may say, and how it is written. All
 * values are texts. It knows no form and no server.
 */
import { isRecord } from '../../lib/is-record.ts';
import { MAIL_ADDRESS } from '../../lib/mail-address.ts';

export interface Parameter {
  name: string;
  label?: string | null | undefined;
  icon?: string | null | undefined;
  description?: string | null | undefined;
  required?: boolean | null | undefined;
  type?: string | null | undefined;
  default?: unknown;
  properties?: Readonly<Record<string, unknown>> | null | undefined;
}

/** How a parameter is asked for. */
export type Control =
  | { kind: 'text'; format: TextFormat; isLong: boolean }
  | { kind: 'bytes' }
  | { kind: 'millicores' }
  | { kind: 'checkbox' }
  | { kind: 'list'; options: readonly { label: string; value: string }[] }
  | { kind: 'code'; language: string; schemaUrl: string | null }
  | { kind: 'people' }
  | { kind: 'team' }
  | { kind: 'resource'; of: ResourceKind; selectors: readonly Record<string, unknown>[] };

type ResourceKind = 'component' | 'config' | 'check';
const TEXT_FORMATS = ['text', 'password', 'email', 'url', 'number', 'dns1123'] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];

export const BYTE_UNITS = ['Mi', 'Gi', 'Ti'] as const;
export type ByteUnit = (typeof BYTE_UNITS)[number];

/** What people call it. */
export const parameterLabel = ({ label, name }: Parameter): string => label?.trim() || name;

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function optionsOf(value: unknown): { label: string; value: string }[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((option: unknown) => {
    if (typeof option === 'string' || typeof option === 'number')
      return [{ label: String(option), value: String(option) }];
    if (!isRecord(option)) return [];
    const text = typeof option['value'] === 'number' ? String(option['value']) : wordOf(option['value']);
    return text === '' ? [] : [{ label: wordOf(option['label']) || text, value: text }];
  });
}

function textControl(properties: Readonly<Record<string, unknown>>): Control {
  const { format, multiline } = properties;
  if (format === 'bytes') return { kind: 'bytes' };
  if (format === 'millicores') return { kind: 'millicores' };
  return {
    kind: 'text',
    format: TEXT_FORMATS.find((known) => known === format) ?? 'text',
    isLong: multiline === true || multiline === 'true',
  };
}

/** A type that isn't known is a text. */
export function controlOf({ type, properties }: Parameter): Control {
  const own = properties ?? {};
  const known = type ?? 'text';
  switch (known) {
    case 'bytes':
      return { kind: 'bytes' };
    case 'millicores':
      return { kind: 'millicores' };
    case 'checkbox':
      return { kind: 'checkbox' };
    case 'people':
    case 'team':
      return { kind: known };
    case 'list':
      return { kind: 'list', options: optionsOf(own['options']) };
    case 'code':
      return {
        kind: 'code',
        language: wordOf(own['language']) || 'yaml',
        schemaUrl: wordOf(own['jsonSchemaUrl']) || null,
      };
    case 'component':
    case 'config':
    case 'check': {
      const { filter } = own;
      return { kind: 'resource', of: known, selectors: Array.isArray(filter) ? filter.filter(isRecord) : [] };
    }
    default:
      return textControl(own);
  }
}

/** What a field starts with; a default that only the server can fill in is nothing here. */
export function startValue(parameter: Parameter, canTemplate: boolean): string {
  const { default: given } = parameter;
  const control = controlOf(parameter);
  const isTemplate = typeof given === 'string' && given.includes('{{');
  if (given === undefined || given === null || (isTemplate && !canTemplate))
    return control.kind === 'checkbox' ? 'false' : '';
  if (typeof given === 'string') return given;
  return JSON.stringify(given, null, 2);
}

/** True where the server fills in what is left empty here. */
export function hasTemplate({ default: given }: Parameter): boolean {
  return typeof given === 'string' && given.includes('{{');
}

const numberOf = (value: unknown): number | null => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
};

const BYTES = /^(\d+(?:\.\d+)?)(Mi|Gi|Ti)$/;
const MILLICORES = /^(\d+)m$/;

/** An amount of memory as a number with its unit; what is no amount stands as it was typed. */
export function splitBytes(value: string): { amount: string; unit: ByteUnit } {
  const unit = BYTE_UNITS.find((known) => value.endsWith(known)) ?? 'Mi';
  return { amount: value.endsWith(unit) ? value.slice(0, -unit.length) : value, unit };
}

/** The other way; nothing for nothing. */
export function joinBytes(amount: string, unit: ByteUnit): string {
  return amount.trim() === '' ? '' : `${amount.trim()}${unit}`;
}

/** Cores in thousandths, without their suffix. */
export function splitMillicores(value: string): string {
  return value.endsWith('m') ? value.slice(0, -1) : value;
}

/** The other way; nothing for nothing. */
export function joinMillicores(amount: string): string {
  return amount.trim() === '' ? '' : `${amount.trim()}m`;
}

/** RFC 1123: small letters, digits and hyphens, labels with dots between. */
const DNS_1123 = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const MAX_DNS_CHARS = 253;
/** A rule of the playbook's own is tried on no longer text: some rules take for ever on long ones. */
const MAX_RULE_CHARS = 1000;

export const PARAMETER_WORDS = {
  required: 'This field is required.',
  email: 'This must be an e-mail address',
  url: 'This must be an address such as https://example.com',
  number: 'This must be a number',
  bytes: 'This must be a number of Mi, Gi or Ti',
  millicores: 'This must be a whole number of millicores',
  dns1123: 'Small letters, digits and hyphens only, with dots between labels',
  option: 'This is not one of the options',
  regex: (rule: string) => `This must match ${rule}`,
  min: (least: number) => `This must be at least ${least}`,
  max: (most: number) => `This must be at most ${most}`,
  minLength: (least: number) => `At least ${least} characters`,
  maxLength: (most: number) => `At most ${most} characters`,
} as const;

function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^\s/]+/i.test(text);
}

function formatProblem(control: Control, value: string): string | null {
  if (control.kind === 'bytes') return BYTES.test(value) ? null : PARAMETER_WORDS.bytes;
  if (control.kind === 'millicores') return MILLICORES.test(value) ? null : PARAMETER_WORDS.millicores;
  if (control.kind === 'list')
    return control.options.some((option) => option.value === value) ? null : PARAMETER_WORDS.option;
  if (control.kind !== 'text') return null;
  switch (control.format) {
    case 'email':
      return MAIL_ADDRESS.test(value) ? null : PARAMETER_WORDS.email;
    case 'url':
      return isUrl(value) ? null : PARAMETER_WORDS.url;
    case 'number':
      return numberOf(value) === null ? PARAMETER_WORDS.number : null;
    case 'dns1123':
      return value.length <= MAX_DNS_CHARS && DNS_1123.test(value) ? null : PARAMETER_WORDS.dns1123;
    case 'text':
    case 'password':
      return null;
  }
}

function amountOf(control: Control, value: string): number | null {
  if (control.kind === 'bytes') return numberOf(splitBytes(value).amount);
  if (control.kind === 'millicores') return numberOf(splitMillicores(value));
  return numberOf(value);
}

function rangeProblem(properties: Readonly<Record<string, unknown>>, amount: number | null): string | null {
  const [min, max] = [numberOf(properties['min']), numberOf(properties['max'])];
  if (amount === null) return min === null && max === null ? null : PARAMETER_WORDS.number;
  if (min !== null && amount < min) return PARAMETER_WORDS.min(min);
  return max !== null && amount > max ? PARAMETER_WORDS.max(max) : null;
}

function lengthProblem(properties: Readonly<Record<string, unknown>>, value: string): string | null {
  const [least, most] = [numberOf(properties['minLength']), numberOf(properties['maxLength'])];
  if (least !== null && value.length < least) return PARAMETER_WORDS.minLength(least);
  return most !== null && value.length > most ? PARAMETER_WORDS.maxLength(most) : null;
}

/** Of a rule in today's strict spelling or in the looser one (`https\\:`); null where it is none. */
export function patternOf(rule: string): RegExp | null {
  for (const flags of ['u', ''])
    try {
      return new RegExp(rule, flags);
    } catch {
      continue;
    }
  return null;
}

function ruleProblem(rule: unknown, value: string): string | null {
  if (typeof rule !== 'string' || rule === '' || value.length > MAX_RULE_CHARS) return null;
  const pattern = patternOf(rule);
  return pattern === null || pattern.test(value) ? null : PARAMETER_WORDS.regex(rule);
}

/** What is wrong with a value; null when nothing is. Code is parsed by who has the parser. */
export function parameterProblem(parameter: Parameter, value: string): string | null {
  const control = controlOf(parameter);
  const properties = parameter.properties ?? {};
  if (value.trim() === '') return parameter.required === true ? PARAMETER_WORDS.required : null;
  const isText = control.kind === 'text' || control.kind === 'bytes' || control.kind === 'millicores';
  return (
    formatProblem(control, value) ??
    (isText ? lengthProblem(properties, value) : null) ??
    (isText ? ruleProblem(properties['regex'], value) : null) ??
    (isText ? rangeProblem(properties, amountOf(control, value)) : null)
  );
}

/**
 * What is sent. A field that began empty and still is says nothing, so that the server's default holds; one that was
 * emptied says so.
 */
export function sentValues(
  parameters: readonly Parameter[],
  values: readonly (string | undefined)[],
  canTemplate: boolean,
): Record<string, string> {
  return Object.fromEntries(
    parameters.flatMap((parameter, at) => {
      const value = values[at] ?? '';
      return value === '' && startValue(parameter, canTemplate) === '' ? [] : [[parameter.name, value]];
    }),
  );
}
