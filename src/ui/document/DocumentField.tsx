/** One field of a document, with the control that its schema asks for. */
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { memo, useState, type ReactNode } from 'react';
import { recordOf } from '../../lib/is-record.ts';
import { Button, IconButton } from '../actions/Button.tsx';
import { parseYamlValue } from '../code/yaml-lint.ts';
import { yamlText } from '../code/yaml-text.ts';
import { CheckField } from '../fields/CheckField.tsx';
import { FormSelect } from '../fields/FormSelect.tsx';
import type { DocumentPath } from './edit-document.ts';
import classes from './document.module.css';
import { FieldFold } from './FieldFold.tsx';
import { useDocumentField } from './form-context.ts';
import { listSuggestions } from './list-suggestions.ts';
import { messages } from './messages.ts';
import { fieldsInSight, type SchemaField } from './schema-fields.ts';
import { ScriptField } from './ScriptField.tsx';
import { isReference, SECRET_STARS } from './secret-value.ts';
import { SecretField } from './SecretField.tsx';
import { TypedField } from './TypedField.tsx';

interface FieldProps {
  field: SchemaField;
  path: DocumentPath;
}

type Bound = ReturnType<typeof useDocumentField>;
type Common = { label: string; isRequired: boolean; isDisabled: boolean; error: string | undefined };

const LONG = new Set(['body', 'script', 'query', 'description', 'statement']);
const NUMBER = /^-?\d+(?:\.\d+)?$/;

const typedNumber = (text: string) => (NUMBER.test(text.trim()) ? Number(text) : text);
const shownText = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
const linesOf = (value: unknown, areNumbers: boolean) =>
  Array.isArray(value) ? value.map(shownText).join(areNumbers ? ', ' : '\n') : shownText(value);

const readNumber = (text: string) => ({
  ok: true as const,
  value: text.trim() === '' ? undefined : typedNumber(text),
});

const readText = (text: string) => ({ ok: true as const, value: text === '' ? undefined : text });

function readLines(text: string, areNumbers: boolean) {
  const lines = text
    .split(areNumbers ? /[\n,]/ : '\n')
    .flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  const value = lines.length === 0 ? undefined : lines.map((line) => (areNumbers ? typedNumber(line) : line));
  return { ok: true as const, value };
}

interface GroupProps {
  fields: readonly SchemaField[];
  path: DocumentPath;
  bound: Bound;
  /** What stands first in it. */
  first?: ReactNode;
}

/** Fields that belong together. It is folded as long as nothing is in it, and stays open while it is filled in. */
function GroupField({ fields, path, bound, first }: GroupProps) {
  return (
    <FieldFold title={bound.label} isOpen={bound.value !== undefined} paths={[path]}>
      {first}
      {fields.map((part) => (
        <DocumentField key={part.key} field={part} path={[...path, part.key]} />
      ))}
    </FieldFold>
  );
}

type ListControl = Extract<SchemaField['control'], { kind: 'list' }>;

/** One item of a list: what is usual and what is filled in, and the rest behind a press where that is much. */
function ItemFields({ control, path, value }: { control: ListControl; path: DocumentPath; value: unknown }) {
  // What was in sight when the item was opened stays where it is while it is filled in.
  const [first] = useState(recordOf(value));
  const { fields, example } = control;
  const isFolded = Object.keys(example).length > 0;
  const { inSight, more } = isFolded
    ? fieldsInSight(fields, { example, value: first })
    : { inSight: fields, more: [] };
  const part = (field: SchemaField) => (
    <DocumentField key={field.key} field={field} path={[...path, field.key]} />
  );
  return (
    <div className={classes.itemFields}>
      {inSight.map(part)}
      {more.length > 0 && (
        <FieldFold title={messages.more(more.length)} paths={more.map(({ key }) => [...path, key])}>
          {more.map(part)}
        </FieldFold>
      )}
    </div>
  );
}

/** Groups that repeat. */
function ListField({ control, path, bound }: { control: ListControl; path: DocumentPath; bound: Bound }) {
  const items = Array.isArray(bound.value) ? bound.value : [];
  return (
    <fieldset className={classes.group}>
      <legend>{bound.label}</legend>
      {items.map((item: unknown, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- an item is its place
        <div key={at} className={classes.item} role="group" aria-label={messages.item(bound.label, at + 1)}>
          <ItemFields control={control} path={[...path, at]} value={item} />
          <IconButton
            label={messages.remove(messages.item(bound.label, at + 1))}
            disabled={bound.isDisabled}
            onClick={() => bound.change(items.length === 1 ? undefined : items.toSpliced(at, 1))}
          >
            <IconTrash size={16} />
          </IconButton>
        </div>
      ))}
      <span>
        <Button disabled={bound.isDisabled} onClick={() => bound.change([...items, {}])}>
          <IconPlus size={15} aria-hidden />
          {messages.add}
        </Button>
      </span>
    </fieldset>
  );
}

interface ControlProps {
  field: SchemaField;
  control: Exclude<SchemaField['control'], { kind: 'group' | 'list' }>;
  path: DocumentPath;
  bound: Bound;
}

/**
 * Whether it looks the same; `change` and `set` do the same for the same place. A value that isn't a single one is read
 * anew from each text, and counts as another.
 */
function isSameControl(before: ControlProps, { field, path, bound }: ControlProps): boolean {
  return (
    before.field === field &&
    before.bound.error === bound.error &&
    before.bound.isDisabled === bound.isDisabled &&
    before.bound.suggestions === bound.suggestions &&
    before.bound.value === bound.value &&
    before.path.length === path.length &&
    path.every((part, at) => part === before.path[at])
  );
}

/** The control of a single value. In a long document only what changed is drawn again. */
const Control = memo(function Control({ field, control, bound }: ControlProps) {
  const { value, change, label, error, isDisabled } = bound;
  const { isRequired } = field;
  const hint = field.hint ?? undefined;
  const common: Common = { label, isRequired, isDisabled, error };
  // A number that may be a text as well stays a number when it is changed: `timeout: 30`.
  const [wasNumber] = useState(typeof value === 'number');
  switch (control.kind) {
    case 'text':
      return (
        <TypedField
          {...common}
          label={isRequired ? `${label} *` : label}
          hint={hint}
          isLong={LONG.has(field.key)}
          suggestions={bound.suggestions}
          placeholder={field.placeholder}
          value={value}
          write={shownText}
          read={wasNumber ? readNumber : readText}
          onChange={change}
        />
      );
    case 'password':
      return (
        <TypedField
          {...common}
          label={isRequired ? `${label} *` : label}
          hint={value === SECRET_STARS ? messages.secret.unchanged : hint}
          isLong={false}
          type={isReference(value) ? 'text' : 'password'}
          value={value}
          write={shownText}
          read={readText}
          onChange={change}
        />
      );
    case 'number':
      // What is typed stays while it is typed: `1.0` on the way to `1.05` is no other text than `1`.
      return (
        <TypedField
          {...common}
          label={isRequired ? `${label} *` : label}
          hint={hint}
          isLong={false}
          suggestions={bound.suggestions}
          placeholder={field.placeholder}
          type="decimal"
          value={value}
          write={shownText}
          read={readNumber}
          onChange={change}
        />
      );
    case 'boolean':
      return (
        <CheckField
          label={label}
          hint={hint}
          isDisabled={isDisabled}
          isChecked={(value ?? field.initial) === true}
          onChange={change}
        />
      );
    case 'choice':
      return (
        <FormSelect
          label={label}
          description={hint}
          error={error}
          disabled={isDisabled}
          value={shownText(value)}
          onChange={({ currentTarget: { value: chosen } }) => change(chosen === '' ? undefined : chosen)}
        >
          <option value="">{messages.notSet}</option>
          {control.options.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </FormSelect>
      );
    case 'secret':
      return <SecretField {...common} hint={hint} value={value} onChange={change} />;
    case 'script':
      return (
        <ScriptField
          {...common}
          label={control.beside.length === 0 ? label : messages.script.within(label)}
          value={value}
          onChange={change}
          onText={(key, text) => bound.set([key], text)}
        />
      );
    case 'texts':
      return (
        <TypedField
          {...common}
          hint={hint ?? (control.areNumbers ? messages.byComma : messages.onePerLine)}
          isLong={!control.areNumbers}
          suggestions={control.areNumbers ? listSuggestions(bound.suggestions, value) : undefined}
          value={value}
          write={(current) => linesOf(current, control.areNumbers)}
          read={(text) => readLines(text, control.areNumbers)}
          onChange={change}
        />
      );
    case 'labels':
    case 'yaml':
      return (
        <TypedField
          {...common}
          hint={hint ?? (control.kind === 'labels' ? messages.pairs : messages.asYaml)}
          value={value}
          isLong
          write={(current) => (current === undefined ? '' : yamlText(current).trimEnd())}
          read={parseYamlValue}
          onChange={change}
        />
      );
  }
}, isSameControl);

/** See the head of this file. */
export function DocumentField({ field, path }: FieldProps) {
  const bound = useDocumentField(path);
  const { control } = field;
  if (control.kind === 'group') return <GroupField fields={control.fields} path={path} bound={bound} />;
  if (control.kind === 'list') return <ListField control={control} path={path} bound={bound} />;
  const own = <Control field={field} control={control} path={path} bound={bound} />;
  if (control.kind !== 'script' || control.beside.length === 0) return own;
  return <GroupField fields={control.beside} path={path} bound={bound} first={own} />;
}
