/** The parts of a flow's form, one component a kind of node. Texts of the server are text, never markup. */
import { PasswordInput, TextInput } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import type { FlowMessage, FlowNode } from '../../contract/http/identity/identity-flow.ts';
import { Button } from '../../ui/actions/Button.tsx';
import { CopyButton } from '../../ui/feedback/CopyButton.tsx';
import { fieldLook } from '../../ui/fields/field-look.ts';
import classes from './identity.module.css';
import { messages } from './messages.ts';

const isError = (message: FlowMessage) => message.type === 'error';

/** What is wrong with a field, or null. */
function errorOf(node: FlowNode, isMissing: boolean): string | null {
  const texts = node.messages.filter(isError).map((message) => message.text);
  if (texts.length > 0) return texts.join(' ');
  return isMissing ? messages.required : null;
}

const asText = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

interface FieldProps {
  node: FlowNode;
  isMissing: boolean;
  hasFocus: boolean;
  isBusy: boolean;
  /** Nothing can be sent now. */
  isDisabled: boolean;
}

/** How a field looks; a password has a button within it, to show what is typed. */
function lookOf(isWrong: boolean, isPassword: boolean) {
  const look = fieldLook(isWrong);
  if (!isPassword) return look;
  const { input, ...classNames } = look.classNames;
  return {
    ...look,
    classNames: {
      ...classNames,
      wrapper: `${classes.password}`,
      innerInput: `${input} ${classes.passwordText}`,
      section: `${classes.toggleSection}`,
      visibilityToggle: `${classes.toggle}`,
    },
  };
}

const ToggleIcon = ({ reveal }: { reveal: boolean }) =>
  reveal ? <IconEyeOff size={18} aria-hidden /> : <IconEye size={18} aria-hidden />;

function InputField({ node, isMissing, hasFocus, isBusy, isDisabled }: FieldProps) {
  const { name, type, value, disabled, required, autocomplete, pattern } = node.attributes;
  const label = node.meta.label?.text ?? name;
  const error = errorOf(node, isMissing);
  const look = lookOf(error !== null, type === 'password');
  switch (type) {
    case 'hidden':
      return <input type="hidden" name={name} value={asText(value)} />;
    case 'submit':
    case 'button':
      return (
        <Button
          type="submit"
          look={name === 'method' ? 'primary' : 'outline'}
          className={classes.submit ?? ''}
          name={name}
          value={asText(value)}
          disabled={disabled || isBusy || isDisabled}
        >
          {isBusy ? messages.working : label}
        </Button>
      );
    case 'checkbox':
      return (
        <label className={classes.check}>
          <input type="checkbox" name={name} defaultChecked={value === true} disabled={disabled} />
          {label}
        </label>
      );
    case 'password':
      return (
        <PasswordInput
          {...look}
          name={name}
          label={label}
          autoComplete={autocomplete ?? 'current-password'}
          autoFocus={hasFocus}
          disabled={disabled}
          error={error}
          visibilityToggleIcon={ToggleIcon}
          visibilityToggleButtonProps={{ 'aria-label': messages.show }}
        />
      );
    default:
      return (
        <TextInput
          {...look}
          name={name}
          label={label}
          type={type === 'email' ? 'email' : 'text'}
          defaultValue={asText(value)}
          {...(autocomplete === undefined ? {} : { autoComplete: autocomplete })}
          {...(pattern === undefined ? {} : { pattern })}
          inputMode={/code/.test(name) && autocomplete === 'one-time-code' ? 'numeric' : 'text'}
          autoCapitalize="off"
          spellCheck={false}
          autoFocus={hasFocus}
          aria-required={required}
          disabled={disabled}
          error={error}
        />
      );
  }
}

/** A text that the server shows once: a secret to type into an app, or the recovery codes. */
function ShownText({ node }: { node: FlowNode }) {
  const { text } = node.attributes;
  if (text === undefined) return null;
  const secrets = text.context?.secrets?.map((secret) => secret.text) ?? null;
  const all = secrets === null ? text.text : secrets.join('\n');
  return (
    <div className={classes.shown}>
      {node.meta.label !== undefined && <span className={classes.label}>{node.meta.label.text}</span>}
      {secrets === null ? (
        <code className={classes.secret}>{text.text}</code>
      ) : (
        <ul className={classes.codes}>
          {secrets.map((secret) => (
            <li key={secret}>
              <code>{secret}</code>
            </li>
          ))}
        </ul>
      )}
      <CopyButton text={all} />
    </div>
  );
}

/** Images come as data; nothing is loaded from elsewhere. */
function ShownImage({ node }: { node: FlowNode }) {
  const { src = '' } = node.attributes;
  if (!src.startsWith('data:image/')) return null;
  return <img className={classes.qr} src={src} alt={messages.qrCode} width={200} height={200} />;
}

/** Nothing for a node of a kind that this version doesn't know. */
export function FlowField(props: FieldProps) {
  const { node } = props;
  switch (node.type) {
    case 'input':
      return <InputField {...props} />;
    case 'text':
      return <ShownText node={node} />;
    case 'img':
      return <ShownImage node={node} />;
    default:
      return null;
  }
}
