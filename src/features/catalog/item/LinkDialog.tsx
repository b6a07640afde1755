import { useState } from 'react';
import { useChoices } from '../../../data/queries/use-choices.ts';
import { useLinkConfig } from '../../../data/session/use-link-config.ts';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { ChooseDialog } from '../../../ui/overlays/ChooseDialog.tsx';
import { messages } from './messages.ts';

const words = messages.link;

interface LinkDialogProps {
  configId: string;
  linkedIds: readonly string[];
  onClose: () => void;
}

/** Links the item to a component that is chosen by name. */
export function LinkDialog({ configId, linkedIds, onClose }: LinkDialogProps) {
  const toasts = useToasts();
  const [search, setSearch] = useState('');
  const { choices, total } = useChoices('components', {
    where: [{ field: 'id', op: 'not-in', values: [...linkedIds] }],
    search,
  });
  const { isReachable, isBusy, error, link } = useLinkConfig(() => {
    toasts.success(words.done);
    onClose();
  });
  return (
    <ChooseDialog
      words={words}
      choices={choices}
      total={total}
      hindrance={isReachable ? null : words.offline}
      problem={error === null ? null : messages.errorText(error)}
      isBusy={isBusy}
      onSearch={setSearch}
      onSubmit={(componentId) => void link({ componentId, configId })}
      onClose={onClose}
    />
  );
}
