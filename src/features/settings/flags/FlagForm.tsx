import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { administer } from '../../../data/session/administration.ts';
import { useAdminister } from '../../../data/session/use-administer.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { FLAGS, disablingProperty } from '../../../domain/access/flags.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { FormShell } from '../../../ui/form/FormShell.tsx';
import { zodResolver } from '../../../ui/form/zod-resolver.ts';
import { messages as ui } from '../../../ui/messages.ts';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import type { Flag } from './merge-flags.ts';
import { messages } from './messages.ts';

const words = messages.form;
const flagSchema = z.object({
  name: z.string().trim().min(1, words.missing),
  value: z.string().trim().min(1, words.missing),
});
type FlagValues = z.input<typeof flagSchema>;

interface FlagFormProps {
  /** Null for a new one. */
  flag: Flag | null;
  userId: string;
  onClose: () => void;
}

function RemoveFlag({
  name,
  onRemoved,
  onClose,
}: {
  name: string;
  onRemoved: () => void;
  onClose: () => void;
}) {
  const { isBusy, run } = useAdminister();
  const [problem, setProblem] = useState<string | null>(null);
  const remove = async () => {
    const answer = await run({ name: 'delete_row', table: 'properties', key: name });
    if (answer.ok) onRemoved();
    else setProblem(messages.errorText(answer.error));
  };
  return (
    <ConfirmDialog
      title={messages.removeTitle}
      question={messages.removeQuestion(name)}
      confirm={messages.remove}
      isBusy={isBusy}
      problem={problem}
      onConfirm={() => void remove()}
      onClose={onClose}
    />
  );
}

/** Adds a feature flag, or changes or deletes one that is in the database. */
export function FlagForm({ flag, userId, onClose }: FlagFormProps) {
  const isReachable = useReachable();
  const toasts = useToasts();
  const [isRemoving, setIsRemoving] = useState(false);
  const form = useForm<FlagValues>({
    resolver: zodResolver(flagSchema),
    defaultValues: { name: flag?.name ?? '', value: flag?.value ?? '' },
  });
  const send = async (values: FlagValues) => {
    const { name, value } = flagSchema.parse(values);
    const answer = await administer(
      flag === null
        ? { name: 'insert_row', table: 'properties', values: { name, value, created_by: userId } }
        : { name: 'update_row', table: 'properties', key: flag.name, values: { value } },
    );
    if (!answer.ok) return { text: messages.errorText(answer.error), field: answer.field };
    toasts.success(flag === null ? messages.added : messages.updated);
    onClose();
    return null;
  };
  return (
    <Modal title={flag === null ? messages.add : messages.edit} size="very-small" onClose={onClose}>
      <FormShell
        form={form}
        onSend={send}
        submit={flag === null ? words.save : words.update}
        submitting={flag === null ? words.saving : words.updating}
        blocked={isReachable ? null : ui.needsServer}
        onCancel={onClose}
        aside={
          flag !== null && (
            <Button disabled={!isReachable} onClick={() => setIsRemoving(true)}>
              {messages.remove}
            </Button>
          )
        }
      >
        <TextInput
          name="name"
          label={words.name}
          isRequired
          hasFocus
          isDisabled={flag !== null}
          suggestions={FLAGS.map(disablingProperty)}
        />
        <TextInput name="value" label={words.value} isRequired suggestions={['true', 'false']} />
      </FormShell>
      {isRemoving && flag !== null && (
        <RemoveFlag
          name={flag.name}
          onClose={() => setIsRemoving(false)}
          onRemoved={() => {
            toasts.success(messages.removed);
            onClose();
          }}
        />
      )}
    </Modal>
  );
}
