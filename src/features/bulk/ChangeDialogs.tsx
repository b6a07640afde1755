/** What a change of many has to be told: a label, a namespace. Wrong ones are refused here as on the server. */
import { useState, type ReactNode } from 'react';
import { labelChangeSchema, namespaceSchema } from '../../contract/commands/thing-commands.ts';
import { Button } from '../../ui/actions/Button.tsx';
import { Switch } from '../../ui/fields/Switch.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Modal } from '../../ui/overlays/Modal.tsx';
import type { Asked } from './bulk-parts.ts';
import classes from './bulk.module.css';
import { messages } from './messages.ts';

interface ChangeDialogProps {
  onApply: (asked: Asked) => void;
  onClose: () => void;
}

function Frame(props: {
  title: string;
  apply: string;
  onApply: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const { title, apply, onApply, onClose, children } = props;
  return (
    <Modal title={title} size="very-small" onClose={onClose}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          onApply();
        }}
      >
        {children}
        <Button type="submit" look="primary">
          {apply}
        </Button>
      </form>
    </Modal>
  );
}

/** Puts a label on all of them, or takes it away. */
export function LabelDialog({ onApply, onClose }: ChangeDialogProps) {
  const words = messages.label;
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const [isRemoving, setIsRemoving] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const apply = () => {
    const labels = isRemoving ? { set: {}, remove: [name] } : { set: { [name]: value }, remove: [] };
    const read = labelChangeSchema.safeParse(labels);
    if (read.success) onApply({ do: 'label', labels: read.data });
    else setProblem(read.error.issues[0]?.message);
  };
  return (
    <Frame title={words.title} apply={words.apply} onApply={apply} onClose={onClose}>
      <TextField label={words.name} value={name} error={problem} hasFocus="with-dialog" onChange={setName} />
      {!isRemoving && <TextField label={words.value} value={value} onChange={setValue} />}
      <Switch label={words.remove} isOn={isRemoving} onChange={setIsRemoving} />
    </Frame>
  );
}

/** Moves all of them to another namespace. */
export function MoveDialog({ onApply, onClose }: ChangeDialogProps) {
  const words = messages.move;
  const [namespace, setNamespace] = useState('');
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const apply = () => {
    const read = namespaceSchema.safeParse(namespace);
    if (read.success) onApply({ do: 'move', namespace: read.data });
    else setProblem(read.error.issues[0]?.message);
  };
  return (
    <Frame title={words.title} apply={words.apply} onApply={apply} onClose={onClose}>
      <TextField
        label={words.namespace}
        value={namespace}
        error={problem}
        hasFocus="with-dialog"
        onChange={setNamespace}
      />
    </Frame>
  );
}
