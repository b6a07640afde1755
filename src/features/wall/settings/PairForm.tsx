/** Confirms the code that a screen shows. */
import { useForm } from 'react-hook-form';
import { pairWallSchema } from '../../../contract/http/walls.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { administer } from '../../../data/session/administration.ts';
import { TextInput } from '../../../ui/form/fields.tsx';
import { FormShell } from '../../../ui/form/FormShell.tsx';
import { zodResolver } from '../../../ui/form/zod-resolver.ts';
import { messages as ui } from '../../../ui/messages.ts';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { messages } from '../messages.ts';

const words = messages.walls;

interface PairFormProps {
  /** From the link that the screen showed; empty to be typed. */
  code: string;
  onDone: (name: string) => void;
  onClose: () => void;
}

/** `code` may come from the screen's QR code. */
export function PairForm({ code, onDone, onClose }: PairFormProps) {
  const isReachable = useReachable();
  const form = useForm<{ code: string; name: string }>({
    resolver: zodResolver(pairWallSchema),
    defaultValues: { code, name: '' },
  });
  const send = async (values: { code: string; name: string }) => {
    const answer = await administer({ name: 'pair_wall', code: values.code, wallName: values.name });
    if (!answer.ok) return { text: messages.errorText(answer.error), field: answer.field };
    onDone(values.name);
    return null;
  };
  return (
    <Modal title={words.pairTitle} size="very-small" onClose={onClose}>
      <FormShell
        form={form}
        onSend={send}
        submit={words.send}
        submitting={words.sending}
        blocked={isReachable ? null : ui.needsServer}
        onCancel={onClose}
      >
        <p>{words.readsOnly}</p>
        <TextInput name="code" label={words.code} hint={words.pairHint} isRequired hasFocus={code === ''} />
        <TextInput
          name="name"
          label={words.wallName}
          hint={words.wallNameHint}
          isRequired
          hasFocus={code !== ''}
        />
      </FormShell>
    </Modal>
  );
}
