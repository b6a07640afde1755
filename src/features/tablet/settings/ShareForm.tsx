/** Makes the browser that shows it a shared tablet. */
import { useForm } from 'react-hook-form';
import { shareTabletSchema } from '../../../contract/http/tablets.ts';
import { useOutbox } from '../../../data/commands/use-outbox.ts';
import { signOut } from '../../../data/commands/commands.ts';
import { lockTablet, setTabletHere } from '../../../data/device/platform-tablet.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { canEncrypt } from '../../../data/tablet/tablet-keys.ts';
import { administer } from '../../../data/session/administration.ts';
import { TextInput } from '../../../ui/form/fields.tsx';
import { FormShell } from '../../../ui/form/FormShell.tsx';
import { zodResolver } from '../../../ui/form/zod-resolver.ts';
import { messages as ui } from '../../../ui/messages.ts';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { messages } from '../messages.ts';

const words = messages.tablets;

/** Why it can't be done now. */
function useBlocked(): string | null {
  const isReachable = useReachable();
  const outbox = useOutbox();
  if (!canEncrypt()) return messages.setup.noEncryption;
  if (!isReachable) return ui.needsServer;
  return outbox === undefined || outbox.items.length > 0 ? words.sendFirst : null;
}

/** Everything that this browser keeps of the user is deleted. */
export function ShareForm({ onClose }: { onClose: () => void }) {
  const blocked = useBlocked();
  const form = useForm<{ name: string }>({
    resolver: zodResolver(shareTabletSchema),
    defaultValues: { name: '' },
  });
  const send = async ({ name }: { name: string }) => {
    const answer = await administer({ name: 'share_tablet', tabletName: name });
    if (!answer.ok) return { text: messages.errorText(answer.error), field: answer.field };
    setTabletHere(name);
    await signOut({ keepOutbox: false });
    lockTablet();
    return null;
  };
  return (
    <Modal title={words.shareTitle} size="very-small" onClose={onClose}>
      <FormShell
        form={form}
        onSend={send}
        submit={words.shareSend}
        submitting={words.sharing}
        blocked={blocked}
        onCancel={onClose}
      >
        <p>{words.shareLead}</p>
        <TextInput name="name" label={words.name} hint={words.nameHint} isRequired hasFocus />
      </FormShell>
    </Modal>
  );
}
