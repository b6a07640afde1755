import { useState } from 'react';
import { useChoices } from '../../../data/queries/use-choices.ts';
import { useComponent } from '../../../data/queries/topology/use-component.ts';
import { useLinkConfig } from '../../../data/session/use-link-config.ts';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { ChooseDialog } from '../../../ui/overlays/ChooseDialog.tsx';
import { messages as topology } from '../messages.ts';
import { messages } from './messages.ts';

const words = messages.link;

interface LinkCatalogDialogProps {
  component: { id: string; name: string };
  onClose: () => void;
}

/** Links the component to a catalog item that is chosen by name. */
export function LinkCatalogDialog({ component, onClose }: LinkCatalogDialogProps) {
  const toasts = useToasts();
  const known = useComponent(component.id);
  const [search, setSearch] = useState('');
  const { choices, total } = useChoices('configs', {
    where: [
      { field: 'id', op: 'not-in', values: [...(known.component?.configIds ?? [])] },
      { field: 'deleted_at', op: 'eq', value: null },
    ],
    search,
  });
  const { isReachable, isBusy, error, link } = useLinkConfig(() => {
    toasts.success(words.done);
    onClose();
  });
  return (
    <ChooseDialog
      words={{ ...words, title: words.title(component.name) }}
      choices={known.isLoaded ? choices : null}
      total={total}
      hindrance={isReachable ? null : words.offline}
      problem={error === null ? null : topology.errorText(error)}
      isBusy={isBusy}
      onSearch={setSearch}
      onSubmit={(configId) => void link({ componentId: component.id, configId })}
      onClose={onClose}
    />
  );
}
