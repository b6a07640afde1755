import { useState } from 'react';
import { Button } from '../actions/Button.tsx';
import { SearchBox } from '../fields/SearchBox.tsx';
import classes from './ChooseDialog.module.css';
import { JudgedMark } from '../page/JudgedMark.tsx';
import type { Judged } from '../page/ThingHealth.tsx';
import { Modal } from './Modal.tsx';

/** What can be chosen; `aside` is said beside the name. */
interface Choice {
  id: string;
  name: string;
  aside: string | null;
  /** What it is, where it has a health and may be silent. */
  thing?: Judged;
}

interface ChooseDialogProps {
  words: {
    title: string;
    search: string;
    clear: string;
    none: string;
    submit: string;
    hint: (shown: number, total: number) => string;
  };
  /** The first of those that match; null while they are not known. */
  choices: readonly Choice[] | null;
  /** How many match. */
  total: number;
  /** Why nothing can be done now. */
  hindrance?: string | null;
  problem: string | null;
  isBusy: boolean;
  onSearch: (text: string) => void;
  onSubmit: (id: string) => void;
  onClose: () => void;
}

/** One of many is chosen by name: a search, the first that match, and a button that waits for a choice. */
export function ChooseDialog({ words, choices, total, hindrance = null, ...rest }: ChooseDialogProps) {
  const { problem, isBusy, onSearch, onSubmit, onClose } = rest;
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = choices?.length ?? 0;
  return (
    <Modal title={words.title} size="small" onClose={onClose}>
      <SearchBox
        label={words.search}
        placeholder={words.search}
        clearLabel={words.clear}
        seed=""
        seedId={0}
        className={classes.search ?? ''}
        onChange={onSearch}
      />
      <div role="radiogroup" aria-label={words.title} className={classes.choices}>
        {choices?.map(({ id, name, aside, thing }) => (
          <label key={id} className={classes.choice}>
            <input type="radio" name="choice" checked={chosen === id} onChange={() => setChosen(id)} />
            <span className={classes.name}>{name}</span>
            <span className={classes.aside}>{aside}</span>
            {thing !== undefined && <JudgedMark {...thing} />}
          </label>
        ))}
        {choices !== null && total === 0 && <p className={classes.note}>{words.none}</p>}
      </div>
      {total > shown && shown > 0 && <p className={classes.note}>{words.hint(shown, total)}</p>}
      {hindrance !== null && <p className={classes.note}>{hindrance}</p>}
      {problem !== null && (
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
      )}
      <div className={classes.foot}>
        <Button
          look="primary"
          disabled={chosen === null || isBusy || hindrance !== null}
          onClick={() => {
            if (chosen !== null) onSubmit(chosen);
          }}
        >
          {words.submit}
        </Button>
      </div>
    </Modal>
  );
}
