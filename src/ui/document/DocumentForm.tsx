/**
 * A document as a form: its entries with their fields, its own settings, and what it has besides. It changes the text
 * that it shows and keeps nothing of its own, so that the editor of the same text is the other view of it.
 */
import { useCallbackRef } from '@mantine/hooks';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Button, IconButton } from '../actions/Button.tsx';
import { parseYamlObject, problemsByPath, schemaOf } from '../code/yaml-lint.ts';
import { FormSelect } from '../fields/FormSelect.tsx';
import { DocumentField } from './DocumentField.tsx';
import classes from './document.module.css';
import { isFormable, valueAt, withEntry, withValue, type DocumentPath } from './edit-document.ts';
import { FieldFold } from './FieldFold.tsx';
import { DocumentFormProvider, type DocumentForm as Form } from './form-context.ts';
import { messages } from './messages.ts';
import type { RefusedPlace } from './refused-place.ts';
import {
  documentExample,
  documentFields,
  entryKinds,
  fieldsInSight,
  fittingFields,
  hasOnlyOne,
  offeredKinds,
  readDocumentSchema,
  type EntryKind,
  type SchemaField,
} from './schema-fields.ts';

interface Parts {
  /** There is one entry, and it can be taken out for another. */
  isOnlyOne: boolean;
  kinds: readonly EntryKind[];
  settings: readonly SchemaField[];
  /** Fields of the document itself that stand in sight. */
  example: Readonly<Record<string, unknown>>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objectOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

function Fields({
  fields,
  path,
  example,
}: {
  fields: readonly SchemaField[];
  path: DocumentPath;
  example: object;
}) {
  return (
    <div className={classes.fields} data-example={Object.keys(example).length > 0 || undefined}>
      {fields.map((field) => (
        <DocumentField key={field.key} field={field} path={[...path, field.key]} />
      ))}
    </div>
  );
}

interface EntryProps {
  kind: EntryKind;
  path: DocumentPath;
  form: Form;
  /** Null where it is the only one and stays. */
  onRemove: (() => void) | null;
}

function Entry({ kind, path, form, onRemove }: EntryProps) {
  const value = objectOf(valueAt(form.value, path));
  // What was in sight when the entry was opened stays where it is while it is filled in.
  const [first] = useState(value);
  const fields = fittingFields(kind.fields, value);
  const { inSight, more } = fieldsInSight(fields, { example: kind.example, value: first });
  const name = typeof value['name'] === 'string' ? value['name'] : '';
  const title = messages.entry(kind.title, name);
  return (
    <section className={classes.entry} aria-label={title}>
      <div className={classes.entryHead}>
        <h3>{title}</h3>
        {onRemove !== null && (
          <IconButton label={messages.remove(title)} disabled={form.isDisabled} onClick={onRemove}>
            <IconTrash size={16} />
          </IconButton>
        )}
      </div>
      <Fields fields={inSight} path={path} example={kind.example} />
      {more.length > 0 && (
        <FieldFold title={messages.more(more.length)} paths={more.map(({ key }) => [...path, key])}>
          {more.map((field) => (
            <DocumentField key={field.key} field={field} path={[...path, field.key]} />
          ))}
        </FieldFold>
      )}
    </section>
  );
}

const lengthOf = (value: unknown) => (Array.isArray(value) ? value.length : 1);

function Entries({ parts, form, onAdd }: { parts: Parts; form: Form; onAdd: (kind: EntryKind) => void }) {
  const [chosen, setChosen] = useState(parts.kinds[0]?.key ?? '');
  const document = objectOf(form.value);
  const present = parts.kinds.flatMap((kind) => {
    const value = document[kind.key];
    if (kind.isSingle) return isObject(value) ? [{ kind, path: [kind.key] as DocumentPath }] : [];
    return Array.isArray(value) ? value.map((_, at) => ({ kind, path: [kind.key, at] as DocumentPath })) : [];
  });
  const remove = (kind: EntryKind, at: string | number | undefined) => {
    const list = document[kind.key];
    const isLast = !Array.isArray(list) || list.length === 1;
    form.set(isLast ? [kind.key] : [kind.key, Number(at)], undefined);
  };
  return (
    <>
      {present.map(({ kind, path }) => (
        <Entry
          key={`${path.join('.')} of ${lengthOf(document[kind.key])}`}
          kind={kind}
          path={path}
          form={form}
          onRemove={present.length === 1 && !parts.isOnlyOne ? null : () => remove(kind, path.at(-1))}
        />
      ))}
      <div className={classes.add} hidden={parts.isOnlyOne && present.length > 0}>
        <FormSelect
          label={messages.kind}
          disabled={form.isDisabled}
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
        >
          {offeredKinds(parts.kinds).map(({ key, title }) => (
            <option key={key} value={key}>
              {title}
            </option>
          ))}
        </FormSelect>
        <Button
          disabled={form.isDisabled}
          onClick={() => {
            const kind = parts.kinds.find(({ key }) => key === chosen);
            if (kind !== undefined) onAdd(kind);
          }}
        >
          <IconPlus size={15} aria-hidden />
          {present.length === 0 ? messages.add : messages.addEntry}
        </Button>
      </div>
    </>
  );
}

/** The text with one more entry of that kind, to be filled in; called so where entries of the kind have names. */
export function newEntryText(text: string, { key, isSingle, example }: EntryKind, name: string): string {
  const hasName = typeof example['name'] === 'string' && !example['name'].startsWith('$');
  const entry = hasName ? { name } : {};
  return isSingle ? withValue(text, [key], entry) : withEntry(text, [key], entry);
}

interface DocumentFormProps {
  text: string;
  /** The document's JSON schema. */
  schema: unknown;
  isDisabled: boolean;
  suggestions?: Form['suggestions'];
  /** Somebody wanted to send it: all that is wrong is said. */
  isSent: boolean;
  /** What the server refused of this text. */
  refused: RefusedPlace | null;
  onChange: (text: string) => void;
}

/** True for a document that there can be a form for. */
export const hasDocumentForm = (schema: unknown): boolean => readDocumentSchema(schema) !== null;

/** See the head of this file. */
export function DocumentForm(props: DocumentFormProps) {
  const { text, schema, isDisabled, suggestions = {}, isSent, refused, onChange } = props;
  const [reached, setReached] = useState<ReadonlySet<string>>(new Set());
  const parts = useMemo((): Parts | null => {
    const read = readDocumentSchema(schema);
    return read === null
      ? null
      : {
          isOnlyOne: hasOnlyOne(read),
          kinds: entryKinds(read),
          settings: documentFields(read),
          example: documentExample(read),
        };
  }, [schema]);
  const validator = useMemo(() => schemaOf(schema), [schema]);
  const problems = useMemo(() => {
    const own = problemsByPath(text, validator);
    return refused === null ? own : new Map([[refused.place, refused.message], ...own]);
  }, [text, validator, refused]);
  const parsed = useMemo(() => parseYamlObject(text), [text]);
  // The same function for each text: a field that did not change is not drawn again.
  const set = useCallbackRef((path: DocumentPath, value: unknown) => {
    setReached((before) => new Set(before).add(path.join('.')));
    onChange(withValue(text, path, value));
  });
  const canShow = useMemo(() => isFormable(text), [text]);
  if (parts === null || !parsed.ok || !canShow) return <p role="status">{messages.notFormable}</p>;
  const isTold = (place: string) => isSent || reached.has(place);
  const form: Form = { value: parsed.value, isDisabled, problems, suggestions, isTold, set };
  const known = new Set([...parts.kinds, ...parts.settings].map(({ key }) => key));
  const whole = problems.get('');
  const others = Object.keys(parsed.value).filter((key) => !known.has(key));
  const { inSight, more } = fieldsInSight(parts.settings, { example: parts.example, value: {} });
  const add = (kind: EntryKind) => onChange(newEntryText(text, kind, kind.title));
  return (
    <DocumentFormProvider value={form}>
      {parts.kinds.length > 0 && <Entries parts={parts} form={form} onAdd={add} />}
      <Fields fields={inSight} path={[]} example={{}} />
      {more.length > 0 && (
        <FieldFold
          title={messages.settings}
          isOpen={inSight.length === 0}
          paths={more.map(({ key }) => [key])}
        >
          {more.map((field) => (
            <DocumentField key={field.key} field={field} path={[field.key]} />
          ))}
        </FieldFold>
      )}
      {isSent && whole !== undefined && (
        <p role="alert" className={classes.error}>
          {whole}
        </p>
      )}
      {others.length > 0 && <p className={classes.hint}>{messages.others(others)}</p>}
    </DocumentFormProvider>
  );
}
