import { Suspense } from 'react';
import { CodeEditor } from '../code/lazy-code.tsx';
import { FieldFrame, textOf, useField, type FieldProps } from './FieldFrame.tsx';
import classes from './form.module.css';

interface CodeInputProps extends FieldProps {
  /** The JSON schema that the text is held against while it is typed. */
  schema?: unknown;
  /** Told of the text when something was pasted, and when the editor is left. */
  onWhole?: (text: string) => void;
  language?: 'yaml' | 'expression';
}

/** YAML to write, or a text of a language that is not checked here. */
export function CodeInput(props: CodeInputProps) {
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
            onWhole={props.onWhole}
            {...(props.language === undefined ? {} : { language: props.language })}
          />
        </Suspense>
      </div>
    </FieldFrame>
  );
}
