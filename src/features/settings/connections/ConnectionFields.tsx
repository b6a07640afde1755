import type { ConnectionField, ConnectionType } from '../../../domain/settings/connection-fields.ts';
import { CheckInput, SelectInput, TextInput } from '../../../ui/form/fields.tsx';
import { FieldColumns } from '../../../ui/form/FormShell.tsx';
import { SecretInput } from '../../../ui/form/SecretInput.tsx';
import { messages } from './messages.ts';

function Field({ field, isDisabled }: { field: ConnectionField; isDisabled: boolean }) {
  const { at: name, label, kind, isRequired = false, options = [] } = field;
  const props = { name, label, isRequired, isDisabled };
  switch (kind) {
    case 'text':
      return <TextInput {...props} />;
    case 'number':
      return <TextInput {...props} type="number" />;
    case 'secret':
      return <SecretInput {...props} />;
    case 'large-secret':
      return <SecretInput {...props} isLarge />;
    case 'check':
      return <CheckInput {...props} />;
    case 'select':
      return <SelectInput {...props} options={options.map((value) => ({ value, label: value }))} />;
  }
}

/** The fields of a connection's type. */
export function ConnectionFields({ type, isDisabled }: { type: ConnectionType; isDisabled: boolean }) {
  return (
    <>
      <FieldColumns>
        <TextInput name="name" label={messages.form.name} isRequired hasFocus isDisabled={isDisabled} />
        <TextInput name="namespace" label={messages.form.namespace} isRequired isDisabled={isDisabled} />
      </FieldColumns>
      {type.fields.map((field) => (
        <Field key={field.at} field={field} isDisabled={isDisabled} />
      ))}
    </>
  );
}
