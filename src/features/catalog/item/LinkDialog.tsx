import { useState } from 'react';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useAdminister } from '../../../data/session/use-administer.ts';
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { ChooseDialog } from '../../../ui/overlays/ChooseDialog.tsx';
import { messages } from './messages.ts';

const words = messages.link;
/** As many as the spec's dialog shows (spec 2 §2). */
const SHOWN = 50;

interface LinkDialogProps {
  configId: string;
  linkedIds: readonly string[];
  onClose: () => void;
}

/** Links the item to a component that is chosen by name. */
export function LinkDialog({ configId, linkedIds, onClose }: LinkDialogProps) {
  const toasts = useToasts();
  const isReachable = useReachable();
  const { isBusy, run } = useAdminister();
  const [search, setSearch] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const found = useLiveQuery({
    collection: 'components',
    where: [{ field: 'id', op: 'not-in', values: [...linkedIds] }],
    search,
    sort: [{ field: 'name', isDescending: false }],
    groupBy: null,
    window: { start: 0, end: SHOWN },
  });
  const link = async (componentId: string) => {
    const answer = await run({ name: 'link_config', componentId, configId });
    if (!answer.ok) {
      setProblem(messages.errorText(answer.error));
      return;
    }
    toasts.success(words.done);
    onClose();
  };
  const choices = found.rows.map(({ id, row }) => ({
    id,
    name: row.name ?? id,
    aside: row.type ?? null,
    thing: { kind: 'component' as const, id },
  }));
  return (
    <ChooseDialog
      words={words}
      choices={found.isLoaded ? choices : null}
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
