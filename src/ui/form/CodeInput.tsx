import { lazy, Suspense } from 'react';
import { FieldFrame, textOf, useField, type FieldProps } from './FieldFrame.tsx';
import classes from './form.module.css';

const CodeEditor = lazy(async () => ({ default: (await import('../CodeEditor.tsx')).CodeEditor }));

/** YAML to write. `schema` is the JSON schema that it is held against while it is typed. */
export function CodeInput(props: FieldProps & { schema?: unknown }) {
  const field = useField(props);
  const text = textOf(field.value);
  return (
    <FieldFrame {...props} field={field} isGroup>
      <div className={classes.code}>
        <Suspense fallback={<pre>{text}</pre>}>
          <CodeEditor
            label={props.label}
            text={text}
            schema={props.schema}
            isReadOnly={props.isDisabled === true}
            onChange={field.change}
          />
        </Suspense>
      </div>
    </FieldFrame>
  );
}
