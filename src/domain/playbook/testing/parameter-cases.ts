/** For tests only: every type of parameter with what it starts with, what is right and what is wrong for it. */
import { PARAMETER_WORDS as words, type Control } from '../parameters.ts';

export interface ParameterCase {
  type: string;
  control: Control['kind'];
  properties?: Record<string, unknown>;
  /** What a specification may have as default, and what the field then begins with. */
  start: readonly [given: unknown, shown: string];
  right: readonly string[];
  /** With what is said of each. */
  wrong: readonly (readonly [value: string, problem: string | RegExp])[];
}

const ID = '0190f0e0-0000-7000-8000-000000000001';
const format = (name: string, more: Record<string, unknown> = {}) => ({ format: name, ...more });

/** Types with all of their properties (contract §19.6). */
export const PARAMETER_CASES: readonly ParameterCase[] = [
  {
    type: 'text',
    control: 'text',
    properties: { minLength: 2, maxLength: '4', regex: '^[a-z]+$' },
    start: ['abc', 'abc'],
    right: ['ab', 'abcd'],
    wrong: [
      ['a', words.minLength(2)],
      ['abcde', words.maxLength(4)],
      ['AB', words.regex('^[a-z]+$')],
    ],
  },
  {
    type: 'text',
    control: 'text',
    properties: { multiline: true },
    start: ['a\nb', 'a\nb'],
    right: ['a\nb'],
    wrong: [],
  },
  {
    type: 'text',
    control: 'text',
    properties: format('password', { minLength: 8 }),
    start: [null, ''],
    right: ['long enough'],
    wrong: [['short', words.minLength(8)]],
  },
  {
    type: 'text',
    control: 'text',
    properties: format('email'),
    start: ['a@example.com', 'a@example.com'],
    right: ['b@example.com'],
    wrong: [['nobody', words.email]],
  },
  {
    type: 'text',
    control: 'text',
    properties: format('url'),
    start: [undefined, ''],
    right: ['https://example.com/a'],
    wrong: [['example', words.url]],
  },
  {
    type: 'text',
    control: 'text',
    properties: format('number', { min: 1, max: '9' }),
    start: [3, '3'],
    right: ['1', '9', '4.5'],
    wrong: [
      ['many', words.number],
      ['0', words.min(1)],
      ['10', words.max(9)],
    ],
  },
  {
    type: 'text',
    control: 'text',
    properties: format('dns1123'),
    start: ['api', 'api'],
    right: ['api.example.com', 'a-1'],
    wrong: [
      ['Not_A_Host', words.dns1123],
      ['host\n', words.dns1123],
      ['a'.repeat(254), words.dns1123],
    ],
  },
  {
    type: 'text',
    control: 'bytes',
    properties: format('bytes'),
    start: ['1Gi', '1Gi'],
    right: ['1.5Ti'],
    wrong: [['1KB', words.bytes]],
  },
  {
    type: 'text',
    control: 'millicores',
    properties: format('millicores'),
    start: ['5m', '5m'],
    right: ['250m'],
    wrong: [['0.5', words.millicores]],
  },
  {
    type: 'bytes',
    control: 'bytes',
    properties: { min: 1, max: 4 },
    start: ['2Mi', '2Mi'],
    right: ['1Mi', '4Ti'],
    wrong: [
      ['manyMi', words.bytes],
      ['5Gi', words.max(4)],
    ],
  },
  {
    type: 'millicores',
    control: 'millicores',
    properties: { min: 100 },
    start: ['250m', '250m'],
    right: ['100m'],
    wrong: [
      ['1.5m', words.millicores],
      ['50m', words.min(100)],
    ],
  },
  { type: 'checkbox', control: 'checkbox', start: [true, 'true'], right: ['true', 'false'], wrong: [] },
  {
    type: 'list',
    control: 'list',
    properties: { options: ['a', 2, { label: 'Third', value: 'c' }] },
    start: ['c', 'c'],
    right: ['a', '2', 'c'],
    wrong: [['Third', words.option]],
  },
  {
    type: 'code',
    control: 'code',
    start: [{ a: 1 }, '{\n  "a": 1\n}'],
    right: ['a: 1', '[1, 2]'],
    wrong: [['a: [1', /This is not/]],
  },
  {
    type: 'code',
    control: 'code',
    properties: { language: 'json', size: 'large', jsonSchemaUrl: '/schemas/x.json' },
    start: ['{}', '{}'],
    right: ['{"a": 1}'],
    wrong: [['a: 1', /This is not/]],
  },
  {
    type: 'code',
    control: 'code',
    properties: { language: 'bash' },
    start: ['ls', 'ls'],
    right: ['if then ['],
    wrong: [],
  },
  {
    type: 'people',
    control: 'people',
    properties: { role: 'admin' },
    start: [ID, ID],
    right: [ID],
    wrong: [],
  },
  { type: 'team', control: 'team', start: [undefined, ''], right: [ID], wrong: [] },
  {
    type: 'config',
    control: 'resource',
    properties: { filter: [{ types: ['Kubernetes::Pod'] }] },
    start: [ID, ID],
    right: [ID],
    wrong: [],
  },
  { type: 'component', control: 'resource', start: [undefined, ''], right: [ID], wrong: [] },
  { type: 'check', control: 'resource', start: [undefined, ''], right: [ID], wrong: [] },
];
