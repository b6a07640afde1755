import { useState } from 'react';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useComponent } from '../../../data/queries/use-component.ts';
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { useAdminister } from '../../../data/session/use-administer.ts';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { ChooseDialog } from '../../../ui/overlays/ChooseDialog.tsx';
import { messages as topology } from '../messages.ts';
import { messages } from './messages.ts';

const words = messages.link;
/** As many as the spec's dialog shows (spec 2 §2). */
const SHOWN = 50;

interface LinkCatalogDialogProps {
  component: { id: string; name: string };
  onClose: () => void;
}

/** Links the component to a catalog item that is chosen by name. */
export function LinkCatalogDialog({ component, onClose }: LinkCatalogDialogProps) {
  const toasts = useToasts();
  const isReachable = useReachable();
  const { isBusy, run } = useAdminister();
  const known = useComponent(component.id);
  const [search, setSearch] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const found = useLiveQuery({
    collection: 'configs',
    where: [
      { field: 'id', op: 'not-in', values: [...(known.component?.configIds ?? [])] },
      { field: 'deleted_at', op: 'eq', value: null },
    ],
    search,
    sort: [{ field: 'name', isDescending: false }],
    groupBy: null,
    window: { start: 0, end: SHOWN },
  });
  const link = async (configId: string) => {
    const answer = await run({ name: 'link_config', componentId: component.id, configId });
    if (!answer.ok) {
      setProblem(topology.errorText(answer.error));
      return;
    }
    toasts.success(words.done);
    onClose();
  };
  const choices = found.rows.map(({ id, row }) => ({
    id,
    name: row.name ?? id,
    aside: row.type ?? null,
    thing: { kind: 'config' as const, id },
  }));
  return (
    <ChooseDialog
      words={{ ...words, title: words.title(component.name) }}
      choices={found.isLoaded && known.isLoaded ? choices : null}
      total={found.total}
      hindrance={isReachable ? null : words.offline}
      problem={problem}
      isBusy={isBusy}
      onSearch={setSearch}
      onSubmit={(id) => void link(id)}
      onClose={onClose}
    />
  );
}
