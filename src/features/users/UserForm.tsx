import { useForm } from 'react-hook-form';
import { administer } from '../../data/session/administration.ts';
import { useReachable } from '../../data/device/use-reachable.ts';
import { ROLES } from '../../domain/access/matrix.ts';
import { displayedRole } from '../../domain/access/displayed-role.ts';
import { Button } from '../../ui/actions/Button.tsx';
import { CheckInput, SelectInput, TextInput } from '../../ui/form/fields.tsx';
import { FieldColumns, FormShell } from '../../ui/form/FormShell.tsx';
import { zodResolver } from '../../ui/form/zod-resolver.ts';
import { messages as ui } from '../../ui/messages.ts';
import { Modal } from '../../ui/overlays/Modal.tsx';
import { messages } from './messages.ts';
import { userSchema, type User, type UserValues } from './user-schema.ts';

const words = messages.form;
const ROLE_OPTIONS = ROLES.map((role) => ({ value: role, label: role }));

interface UserFormProps {
  /** Null for somebody new. */
  user: User | null;
  /** `link` is the invitation, for somebody new. */
  onDone: (name: string, link: string | null) => void;
  /** Null for somebody new. */
  onDelete: (() => void) | null;
  onClose: () => void;
}

/** Invites somebody, or changes who they are and what they may. */
export function UserForm({ user, onDone, onDelete, onClose }: UserFormProps) {
  const isReachable = useReachable();
  const form = useForm<UserValues>({
    resolver: zodResolver(userSchema),
    defaultValues: {
      firstName: user?.firstName ?? '',
      lastName: user?.lastName ?? '',
      email: user?.email ?? '',
      role: user === null ? '' : (displayedRole(user.roles) ?? 'viewer'),
      isActive: user?.isActive ?? true,
    },
  });
  const send = async (values: UserValues) => {
    const { isActive, ...person } = userSchema.parse(values);
    const answer = await administer(
      user === null
        ? { name: 'invite_user', ...person }
        : { name: 'update_user', id: user.id, active: isActive, ...person },
    );
    if (!answer.ok) return { text: messages.errorText(answer.error), field: answer.field };
    onDone(`${person.firstName} ${person.lastName}`, answer.value.link);
    return null;
  };
  return (
    <Modal title={user === null ? words.inviteTitle : words.editTitle} size="very-small" onClose={onClose}>
      <FormShell
        form={form}
        onSend={send}
        submit={user === null ? words.send : words.update}
        submitting={user === null ? words.sending : words.updating}
        blocked={isReachable ? null : ui.needsServer}
        onCancel={onClose}
        aside={
          onDelete !== null && (
            <Button disabled={!isReachable} onClick={onDelete}>
              {messages.deletion.confirm}
            </Button>
          )
        }
      >
        <FieldColumns>
          <TextInput name="firstName" label={words.firstName} isRequired hasFocus />
          <TextInput name="lastName" label={words.lastName} isRequired />
        </FieldColumns>
        <TextInput name="email" label={words.email} type="email" isRequired />
        <SelectInput
          name="role"
          label={words.role}
          isRequired
          options={ROLE_OPTIONS}
          placeholder={words.chooseRole}
        />
        {user !== null && <CheckInput name="isActive" label={words.active} hint={words.activeHint} />}
      </FormShell>
    </Modal>
  );
}
