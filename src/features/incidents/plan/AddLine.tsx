import { useState } from 'react';
import { Button } from '../../../ui/actions/Button.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { useOneAtATime } from '../../../ui/hooks/one-at-a-time.ts';
import { messages } from './messages.ts';
import classes from '../page.module.css';

interface AddLineProps {
  label: string;
  /** True when it was kept: only then does the field close. */
  onAdd: (text: string) => Promise<boolean>;
  onClose: () => void;
}

/** A field for something new, where it will stand. */
export function AddLine({ label, onAdd, onClose }: AddLineProps) {
  const [text, setText] = useState('');
  const once = useOneAtATime();
  const submit = async () => {
    if (text.trim() !== '' && (await onAdd(text.trim()))) onClose();
  };
  return (
    <form
      className={classes.addLine}
      data-unsaved={text.trim() === '' ? undefined : ''}
      onSubmit={(event) => {
        event.preventDefault();
        void once(submit);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <TextField hasFocus label={label} value={text} maxLength={500} onChange={setText} />
      <span className={classes.addActions}>
        <Button look="quiet" onClick={onClose}>
          {messages.cancel}
        </Button>
        <Button look="primary" type="submit" disabled={text.trim() === ''}>
          {messages.save}
        </Button>
      </span>
    </form>
  );
}
