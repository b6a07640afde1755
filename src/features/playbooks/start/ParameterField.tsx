/** The field of one parameter, by its type and properties (contract §19.6). */
import { useState, type ReactNode } from 'react';
import {
  BYTE_UNITS,
  controlOf,
  joinBytes,
  joinMillicores,
  parameterLabel,
  splitBytes,
  splitMillicores,
  type ByteUnit,
  type Control,
  type Parameter,
} from '../../../domain/playbook/parameters.ts';
import { Switch } from '../../../ui/fields/Switch.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { CodeInput } from '../../../ui/form/CodeInput.tsx';
import { SelectInput, TextInput } from '../../../ui/form/fields.tsx';
import { FieldCaption, FieldFrame, textOf, useField, type FieldProps } from '../../../ui/form/FieldFrame.tsx';
import { ThingIcon } from '../../../ui/marks/ThingIcon.tsx';
import { ResourceName } from '../PersonName.tsx';
import { messages } from './messages.ts';
import { Picker, type Source } from './Picker.tsx';
import { ResourceLabel } from './ResourceLabel.tsx';
import classes from './start.module.css';
import { useSchema } from './use-schema.ts';

interface CodeFieldProps extends FieldProps {
  control: Of<'code'>;
  playbookId: string;
  /** Its name in the specification. */
  parameter: string;
}

type Of<Kind extends Control['kind']> = Extract<Control, { kind: Kind }>;

/** Hint and error stand below both. */
function WithUnit({ input, unit }: Record<'input' | 'unit', ReactNode>) {
  return (
    <span className={classes.withUnit}>
      {input}
      {unit}
    </span>
  );
}

/** A number with its unit beside it. */
function BytesField(props: FieldProps) {
  const field = useField(props);
  const { amount, unit: ofValue } = splitBytes(textOf(field.value));
  // Without an amount the value has no unit to keep.
  const [chosen, setChosen] = useState(ofValue);
  const unit = amount === '' ? chosen : ofValue;
  const units = (
    <SelectField
      label={messages.unit(props.label)}
      caption="hidden"
      value={unit}
      options={BYTE_UNITS.map((value) => ({ value, label: value }))}
      onChange={(next) => {
        setChosen(next as ByteUnit);
        field.change(joinBytes(amount, next as ByteUnit));
      }}
    />
  );
  return (
    <TextField
      label={<FieldCaption {...props} />}
      type="decimal"
      value={amount}
      error={field.error}
      hint={props.hint}
      onBlur={field.blur}
      inputRef={field.attach}
      onChange={(text) => field.change(joinBytes(text, unit))}
      around={(input) => <WithUnit input={input} unit={units} />}
    />
  );
}

function MillicoresField(props: FieldProps) {
  const field = useField(props);
  const unit = (
    <span className={classes.suffix} aria-hidden="true">
      {messages.millicores}
    </span>
  );
  return (
    <TextField
      label={<FieldCaption {...props} />}
      type="decimal"
      value={splitMillicores(textOf(field.value))}
      error={field.error}
      hint={props.hint}
      onBlur={field.blur}
      inputRef={field.attach}
      onChange={(text) => field.change(joinMillicores(text))}
      around={(input) => <WithUnit input={input} unit={unit} />}
    />
  );
}

function CheckboxField(props: FieldProps) {
  const field = useField(props);
  return (
    <FieldFrame {...props} field={field} isGroup isCaptionHidden>
      <Switch
        label={<FieldCaption {...props} />}
        isOn={field.value === 'true'}
        onChange={(isOn) => field.change(isOn ? 'true' : 'false')}
      />
    </FieldFrame>
  );
}

function CodeField({ control, playbookId, parameter, ...props }: CodeFieldProps) {
  const { schema, problem } = useSchema({ url: control.schemaUrl, playbookId, parameter });
  const isYaml = ['yaml', 'yml', 'json'].includes(control.language.toLowerCase());
  const hint = [props.hint ?? '', problem ?? ''].filter(Boolean).join(' ');
  return (
    <CodeInput
      {...props}
      {...(hint === '' ? {} : { hint })}
      schema={schema}
      language={isYaml ? 'yaml' : 'expression'}
    />
  );
}

function PickerField(props: FieldProps & { source: Source }) {
  const { source, ...rest } = props;
  const field = useField(rest);
  const value = textOf(field.value);
  const text =
    source.kind === 'named' ? (
      <ResourceName id={value} />
    ) : (
      <ResourceLabel resource={{ kind: source.of, id: value }} />
    );
  return (
    <FieldFrame {...rest} field={field} isGroup>
      <Picker
        label={props.label}
        chosen={value === '' ? null : { id: value, text, spoken: value }}
        source={source}
        isWrong={field.error !== undefined}
        isClearable={props.isRequired !== true}
        onChoose={(option) => field.change(option?.id ?? '')}
      />
    </FieldFrame>
  );
}

function TextParameter({ control, ...props }: FieldProps & { control: Of<'text'> }) {
  const { format, isLong } = control;
  if (format === 'password') return <TextInput {...props} type="password" />;
  if (format === 'email' || format === 'number') return <TextInput {...props} type={format} />;
  return <TextInput {...props} isLong={isLong} />;
}

interface ParameterFieldProps {
  playbookId: string;
  parameter: Parameter;
  /** Path of the value in the form. */
  name: string;
  /** Beside what the parameter says of itself. */
  hint?: string | undefined;
}

/** See the head of this file. */
export function ParameterField({ playbookId, parameter, name, hint }: ParameterFieldProps) {
  const control = controlOf(parameter);
  const hints = [parameter.description?.trim() ?? '', hint ?? ''].filter(Boolean).join(' ');
  const props: FieldProps = {
    name,
    label: parameterLabel(parameter),
    isRequired: parameter.required === true,
    ...(hints === '' ? {} : { hint: hints }),
    ...(parameter.icon?.trim() ? { icon: <ThingIcon icon={parameter.icon} type={null} size={15} /> } : {}),
  };
  switch (control.kind) {
    case 'text':
      return <TextParameter {...props} control={control} />;
    case 'bytes':
      return <BytesField {...props} />;
    case 'millicores':
      return <MillicoresField {...props} />;
    case 'checkbox':
      return <CheckboxField {...props} />;
    case 'list':
      return <SelectInput {...props} options={control.options} placeholder={messages.choosing} />;
    case 'code':
      return <CodeField {...props} control={control} playbookId={playbookId} parameter={parameter.name} />;
    case 'people':
    case 'team':
      return <PickerField {...props} source={{ kind: 'named', of: control.kind }} />;
    case 'resource':
      return <PickerField {...props} source={control} />;
  }
}
