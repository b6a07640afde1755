/** One form of a flow. What was typed stays in the fields when the server refuses it. */
import type { FormEvent } from 'react';
import { useState } from 'react';
import type { FlowFormParts } from './flow-parts.ts';
import { missingFields } from './flow-parts.ts';
import { FlowField } from './FlowFields.tsx';
import classes from './identity.module.css';

const UNFOCUSED = new Set(['hidden', 'submit', 'button', 'checkbox']);

/** Everything in the form, with the button that was pressed. */
function valuesOf(form: HTMLFormElement, submitter: HTMLElement | null): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  new FormData(form, submitter).forEach((value, name) => {
    values[name] = typeof value === 'string' ? value : undefined;
  });
  for (const box of form.querySelectorAll<HTMLInputElement>('input[type=checkbox]')) {
    values[box.name] = box.checked;
  }
  return values;
}

interface FlowFormProps {
  parts: FlowFormParts;
  isBusy: boolean;
  isDisabled: boolean;
  /** Puts the cursor into its first empty field. */
  takesFocus: boolean;
  onSubmit: (values: Record<string, unknown>) => void;
}

/** Required fields that are empty are marked before anything is sent. */
export function FlowForm({ parts, isBusy, isDisabled, takesFocus, onSubmit }: FlowFormProps) {
  const [missing, setMissing] = useState<readonly string[]>([]);
  const first = parts.nodes.find(
    ({ type, attributes }) => type === 'input' && !UNFOCUSED.has(attributes.type) && !attributes.value,
  );
  const handleSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const values = valuesOf(event.currentTarget, submitter);
    // A button that takes something away needs no other field.
    const isWhole = submitter?.getAttribute('name') === 'method';
    const gaps = isWhole ? missingFields(parts.nodes, values) : [];
    setMissing(gaps);
    if (gaps.length === 0) onSubmit(values);
  };
  return (
    <form className={classes.form} noValidate onSubmit={handleSubmit}>
      {parts.nodes.map((node) => (
        <FlowField
          key={`${node.type} ${node.attributes.name} ${String(node.attributes.type === 'submit' ? node.attributes.value : '')}`}
          node={node}
          isMissing={missing.includes(node.attributes.name)}
          hasFocus={takesFocus && node === first}
          isBusy={isBusy}
          isDisabled={isDisabled}
        />
      ))}
    </form>
  );
}
