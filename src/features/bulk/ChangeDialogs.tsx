/** What a change of many has to be told: a label, a namespace, a role. Wrong ones are refused here as on the server. */
import { useState } from 'react';
import { labelChangeSchema, namespaceSchema } from '../../contract/commands/thing-commands.ts';
import { isRole, ROLES } from '../../domain/access/matrix.ts';
import { SelectField } from '../../ui/fields/SelectField.tsx';
import { Switch } from '../../ui/fields/Switch.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { ChangeFrame, type ChangeDialogProps } from './ChangeFrame.tsx';
import { messages } from './messages.ts';

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
    <ChangeFrame title={words.title} apply={words.apply} onApply={apply} onClose={onClose}>
      <TextField label={words.name} value={name} error={problem} hasFocus="with-dialog" onChange={setName} />
      {!isRemoving && <TextField label={words.value} value={value} onChange={setValue} />}
      <Switch label={words.remove} isOn={isRemoving} onChange={setIsRemoving} />
    </ChangeFrame>
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
    <ChangeFrame title={words.title} apply={words.apply} onApply={apply} onClose={onClose}>
      <TextField
        label={words.namespace}
        value={namespace}
        error={problem}
        hasFocus="with-dialog"
        onChange={setNamespace}
      />
    </ChangeFrame>
  );
}

const ROLE_OPTIONS = ROLES.map((role) => ({ value: role, label: role }));

/** Gives all of them a role. */
export function RoleDialog({ onApply, onClose }: ChangeDialogProps) {
  const words = messages.role;
  const [role, setRole] = useState<string>('viewer');
  const apply = () => {
    if (isRole(role)) onApply({ do: 'role', role });
  };
  return (
    <ChangeFrame title={words.title} apply={words.apply} onApply={apply} onClose={onClose}>
      <SelectField
        caption="above"
        label={words.role}
        value={role}
        options={ROLE_OPTIONS}
        onChange={setRole}
      />
    </ChangeFrame>
  );
}
