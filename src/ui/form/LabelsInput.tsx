import { IconPlus, IconTrash } from '@tabler/icons-react';
import { Button, IconButton } from '../actions/Button.tsx';
import { messages } from './messages.ts';
import { TextField } from '../fields/TextField.tsx';
import { FieldFrame, useField, type FieldProps } from './FieldFrame.tsx';
import classes from './form.module.css';
import type { LabelPair } from './labels.ts';

const words = messages.labels;

function isPairs(value: unknown): value is LabelPair[] {
  return Array.isArray(value);
}

/** Names with values, one a line; `add`: what they are called where they are no labels. */
export function LabelsInput({ add = words.add, ...props }: FieldProps & { add?: string }) {
  const field = useField(props);
  const pairs = isPairs(field.value) ? field.value : [];
  const put = (at: number, change: Partial<LabelPair>) =>
    field.change(pairs.map((pair, index) => (index === at ? { ...pair, ...change } : pair)));
  const input = (at: number, part: 'key' | 'value') => (
    <TextField
      label={`${props.label} ${at + 1}: ${words[part]}`}
      isLabelHidden
      placeholder={words[part]}
      isDisabled={field.control.disabled}
      isWrong={field.error !== undefined}
      value={pairs[at]?.[part] ?? ''}
      onBlur={field.blur}
      onChange={(text) => put(at, { [part]: text })}
    />
  );
  return (
    <FieldFrame {...props} field={field} isGroup>
      {pairs.map((_, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a line is its place
        <div key={at} className={classes.pair}>
          {input(at, 'key')}
          {input(at, 'value')}
          <IconButton
            label={words.remove(at + 1)}
            disabled={field.control.disabled}
            onClick={() => field.change(pairs.filter((_pair, index) => index !== at))}
          >
            <IconTrash size={16} />
          </IconButton>
        </div>
      ))}
      <span>
        <Button
          disabled={field.control.disabled}
          onClick={() => field.change([...pairs, { key: '', value: '' }])}
        >
          <IconPlus size={15} aria-hidden />
          {add}
        </Button>
      </span>
    </FieldFrame>
  );
}
