import { useState } from 'react';
import type { LiveRow } from '../../contract/live-query.ts';
import { Button } from '../../ui/Button.tsx';
import { useDevice } from '../../ui/Device.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useIncident } from './incident-context.tsx';
import { messages } from './messages.ts';
import classes from './page.module.css';
import type { RecordOf } from './use-records.ts';

const words = messages.comments;

/** A new comment about one hypothesis; the root one unless another is chosen. */
export function CommentComposer({ hypotheses }: { hypotheses: readonly LiveRow<RecordOf<'hypothesis'>>[] }) {
  const { incidentId, send } = useIncident();
  const device = useDevice();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [error, setError] = useState<string | undefined>();
  const root = hypotheses.find(({ row }) => row.type === 'root') ?? hypotheses[0];
  const hypothesisId = hypotheses.some(({ id }) => id === chosen) ? chosen : (root?.id ?? null);
  const submit = async () => {
    if (hypothesisId === null) {
      setError(words.noHypothesis);
      return;
    }
    const comment = text.trim();
    if (comment === '') {
      setError(words.noText);
      return;
    }
    setError(undefined);
    const isKept = await send({
      name: 'add_comment',
      args: { id: device.newId(), incidentId, hypothesisId, comment },
    });
    // What couldn't be kept stays in the field.
    if (isKept) setText((now) => (now.trim() === comment ? '' : now));
  };
  return (
    <form
      className={classes.composer}
      data-unsaved={text.trim() === '' ? undefined : ''}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit();
      }}
    >
      <TextField
        isLong
        isLabelHidden
        label={words.write}
        placeholder={words.placeholder}
        value={text}
        error={error}
        onChange={setText}
      />
      <div className={classes.composerFoot}>
        {hypotheses.length > 1 && (
          <SelectField
            label={words.on}
            value={hypothesisId ?? ''}
            options={hypotheses.map(({ id, row }) => ({ value: id, label: row.title }))}
            onChange={setChosen}
          />
        )}
        <Button look="primary" type="submit" disabled={text.trim() === ''}>
          {words.send}
        </Button>
      </div>
    </form>
  );
}
