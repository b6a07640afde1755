import { useState } from 'react';
import type { ComponentFacts } from '../../../contract/topology-view.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { useAdminister } from '../../../data/session/use-administer.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { SearchBox } from '../../../ui/fields/SearchBox.tsx';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { messages as topology } from '../messages.ts';
import classes from './component.module.css';
import { messages } from './messages.ts';

const words = messages.link;
/** As many as the spec's dialog shows (spec 2 §2). */
const SHOWN = 50;

interface LinkCatalogDialogProps {
  component: ComponentFacts;
  onClose: () => void;
}

/** Links the component to a catalog item that is chosen by name. */
export function LinkCatalogDialog({ component, onClose }: LinkCatalogDialogProps) {
  const toasts = useToasts();
  const isReachable = useReachable();
  const { isBusy, run } = useAdminister();
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const found = useLiveQuery({
    collection: 'configs',
    where: [
      { field: 'id', op: 'not-in', values: [...component.configIds] },
      { field: 'deleted_at', op: 'eq', value: null },
    ],
    search,
    sort: [{ field: 'name', isDescending: false }],
    groupBy: null,
    window: { start: 0, end: SHOWN },
  });
  const link = async () => {
    if (chosen === null) return;
    const answer = await run({ name: 'link_config', componentId: component.id, configId: chosen });
    if (!answer.ok) {
      setProblem(topology.errorText(answer.error));
      return;
    }
    toasts.success(words.done);
    onClose();
  };
  return (
    <Modal title={words.title} size="small" onClose={onClose}>
      <SearchBox
        label={words.search}
        placeholder={words.search}
        clearLabel={words.clear}
        seed=""
        seedId={0}
        onChange={setSearch}
      />
      <div role="radiogroup" aria-label={words.title} className={classes.choices}>
        {found.rows.map(({ id, row }) => (
          <label key={id} className={classes.choice}>
            <input type="radio" name="config" checked={chosen === id} onChange={() => setChosen(id)} />
            <span>{row.name ?? id}</span>
            <span className={classes.aside}>{row.type}</span>
          </label>
        ))}
        {found.isLoaded && found.total === 0 && <p className={classes.none}>{words.none}</p>}
      </div>
      {found.total > SHOWN && <p className={classes.note}>{words.hint(SHOWN, found.total)}</p>}
      {!isReachable && <p className={classes.note}>{words.offline}</p>}
      {problem !== null && (
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
      )}
      <div className={classes.foot}>
        <Button
          look="primary"
          disabled={chosen === null || isBusy || !isReachable}
          onClick={() => void link()}
        >
          {words.submit}
        </Button>
      </div>
    </Modal>
  );
}
