/** A zip of everything about a component, saved as a file (spec 2 §2 'Card actions'). */
import { useState } from 'react';
import { downloadSnapshot } from '../../../data/commands/commands.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { isTimeRange, TIME_RANGES, type TimeRange } from '../../../domain/time/ranges.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { saveFile } from '../../../ui/actions/save-file.ts';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { Switch } from '../../../ui/fields/Switch.tsx';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import classes from './actions.module.css';
import { messages } from './messages.ts';

const words = messages.snapshot;
const RANGES = TIME_RANGES.map(({ value }) => ({ value, label: value }));
const [FIRST] = TIME_RANGES;

interface SnapshotDialogProps {
  component: { id: string; name: string };
  onClose: () => void;
}

/** See the head of this file. */
export function SnapshotDialog({ component, onClose }: SnapshotDialogProps) {
  const toasts = useToasts();
  const isReachable = useReachable();
  const [start, setStart] = useState<TimeRange>(FIRST.value);
  const [isRelatedToo, setRelatedToo] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    const answer = await downloadSnapshot({ componentId: component.id, start, isRelatedToo });
    setBusy(false);
    if (!answer.ok) {
      toasts.error(words.failed);
      return;
    }
    saveFile({ name: words.file(component.name), type: 'application/zip', content: answer.value });
    onClose();
  };
  return (
    <Modal title={words.title(component.name)} size="very-small" onClose={onClose}>
      <div className={classes.fields}>
        <SelectField
          label={words.range}
          caption="above"
          value={start}
          options={RANGES}
          onChange={(value) => {
            if (isTimeRange(value)) setStart(value);
          }}
        />
        <Switch label={words.related} isOn={isRelatedToo} onChange={setRelatedToo} />
        {!isReachable && <p className={classes.note}>{words.offline}</p>}
      </div>
      <div className={classes.foot}>
        <Button look="primary" disabled={isBusy || !isReachable} onClick={() => void download()}>
          {isBusy ? words.busy : words.submit}
        </Button>
      </div>
    </Modal>
  );
}
