/** Builds a board: tiles are added, dragged, resized and filled; what is saved reaches the walls that show it. */
import { useState } from 'react';
import type { Board, Tile, TileKind } from '../../../contract/http/walls.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useTable } from '../../../data/queries/use-table.ts';
import { useAdminister } from '../../../data/session/use-administer.ts';
import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { Button } from '../../../ui/actions/Button.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { messages } from '../messages.ts';
import { boardSearch } from '../search-schemas.ts';
import { DEFAULT_BOARD } from '../screen/default-board.ts';
import { tileTitle } from '../tiles/TileView.tsx';
import { BoardGrid } from './BoardGrid.tsx';
import classes from './editor.module.css';
import { withNewTile } from './new-tile.ts';
import { TileFields } from './TileFields.tsx';

const words = messages.editor;
const KINDS = Object.keys(messages.kinds) as TileKind[];

/** The board as it is being built. */
function useDraft(board: Pick<Board, 'name' | 'tiles'>) {
  const device = useDevice();
  const [name, setName] = useState(board.name);
  const [tiles, setTiles] = useState<readonly Tile[]>(board.tiles);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [note, setNote] = useState('');
  const add = (kind: TileKind) => {
    const next = withNewTile(kind, device.newId(), tiles);
    if (next === null) return setNote(words.full);
    setNote(next.halved === null ? '' : words.madeRoom(tileTitle(next.halved)));
    setTiles(next.tiles);
    setChosenId(next.added.id);
  };
  const remove = (id: string) => {
    setTiles(tiles.filter((tile) => tile.id !== id));
    setNote('');
  };
  const change = (next: Tile) => setTiles(tiles.map((tile) => (tile.id === next.id ? next : tile)));
  const isChanged = name !== board.name || tiles !== board.tiles;
  const chosen = tiles.find(({ id }) => id === chosenId) ?? null;
  return { name, setName, tiles, setTiles, chosen, setChosenId, note, isChanged, add, remove, change };
}

function Palette({ note, onAdd }: { note: string; onAdd: (kind: TileKind) => void }) {
  return (
    <div className={classes.palette} role="group" aria-label={words.add}>
      {KINDS.map((kind) => (
        <Button key={kind} onClick={() => onAdd(kind)}>
          {words.addKind(messages.kinds[kind])}
        </Button>
      ))}
      <span role="status">{note}</span>
    </div>
  );
}

interface EditorProps {
  id: string;
  board: Pick<Board, 'name' | 'tiles'>;
  /** What saving it does that somebody would not expect. */
  note: string | null;
}

function Editor({ id, board, note }: EditorProps) {
  const device = useDevice();
  const toasts = useToasts();
  const isReachable = useReachable();
  const { isBusy, run } = useAdminister();
  const draft = useDraft(board);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSent, setIsSent] = useState(false);
  const isNameless = draft.name.trim() === '';
  const save = async () => {
    setIsSent(true);
    if (isNameless) return;
    const answer = await run({
      name: 'save_board',
      id,
      board: { name: draft.name, tiles: [...draft.tiles] },
    });
    if (!answer.ok) return setProblem(messages.errorText(answer.error));
    toasts.success(words.saved(draft.name));
    device.navigate(links.walls());
  };
  return (
    <div className={classes.page} data-unsaved={draft.isChanged ? '' : undefined}>
      <header className={classes.head}>
        <h1>{words.title}</h1>
        <TextField
          label={words.name}
          value={draft.name}
          maxLength={100}
          isRequired
          error={isSent && isNameless ? ui.isRequired : undefined}
          onChange={draft.setName}
        />
        <div className={classes.actions}>
          <Button look="quiet" onClick={() => device.navigate(links.walls())}>
            {ui.cancel}
          </Button>
          <Button
            look="primary"
            disabled={isBusy || !isReachable}
            title={isReachable ? undefined : ui.needsServer}
            onClick={() => void save()}
          >
            {words.save}
          </Button>
        </div>
      </header>
      {problem !== null && (
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
      )}
      {note !== null && <p role="status">{note}</p>}
      <Palette note={draft.note} onAdd={draft.add} />
      <div className={classes.work}>
        <BoardGrid
          tiles={draft.tiles}
          chosenId={draft.chosen?.id ?? null}
          onChange={draft.setTiles}
          onChoose={draft.setChosenId}
          onRemove={draft.remove}
        />
        {draft.chosen === null ? (
          <p className={classes.hint}>{words.choose}</p>
        ) : (
          <TileFields
            key={draft.chosen.id}
            tile={draft.chosen}
            onChange={draft.change}
            onRemove={() => draft.remove(draft.chosen?.id ?? '')}
          />
        )}
      </div>
    </div>
  );
}

function NoBoard({ title, children }: { title: string; children: string }) {
  return (
    <StateNote
      title={title}
      level={1}
      role="alert"
      actions={<AppLink href={links.walls()}>{messages.walls.title}</AppLink>}
    >
      <p>{children}</p>
    </StateNote>
  );
}

/** A new board, which nobody saved yet, begins with the overview's tiles. */
export function BoardEditor({ boardId }: { boardId: string }) {
  const [{ isNew = false }] = useSearchState(boardSearch);
  const { kept, error } = useTable({ view: 'wall_boards' });
  const found = kept?.value.rows.find(({ id }) => id === boardId);
  // Where somebody deletes it meanwhile, what was drawn here stays, and can be saved.
  const [wasFound, setWasFound] = useState(false);
  if (found !== undefined && !wasFound) setWasFound(true);
  // A new one needs nothing that the server has: it is drawn without one, too, and stays while the server is asked again.
  const [isBlind, setIsBlind] = useState(false);
  if (isNew && kept === null && error !== null && !isBlind) setIsBlind(true);
  if (isBlind && kept !== null && found === undefined) setIsBlind(false);
  if (kept === null && !isBlind)
    return error === null ? (
      <SkeletonRows text={words.loading} />
    ) : (
      <NoBoard title={words.failed}>{messages.errorText(error)}</NoBoard>
    );
  if (found === undefined && !isNew && !wasFound)
    return <NoBoard title={words.gone}>{words.goneHint}</NoBoard>;
  const board = found ?? { name: '', tiles: DEFAULT_BOARD.tiles };
  const isStored = found !== undefined;
  const note =
    isStored && isBlind ? words.storedBefore : !isStored && wasFound ? words.deletedMeanwhile : null;
  return <Editor id={boardId} board={board} note={note} />;
}
