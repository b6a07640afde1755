import type { LiveRow } from '../../../contract/live-query.ts';
import { messages } from './messages.ts';
import classes from '../page.module.css';
import type { RecordOf } from '../use-records.ts';
import { wordFor } from '../words.ts';

interface EvidencePickerProps {
  rows: readonly LiveRow<RecordOf<'evidence'>>[];
  isLoaded: boolean;
  /** Said when there is nothing to pick. */
  empty: string;
  chosen: ReadonlySet<string>;
  onChosen: (chosen: ReadonlySet<string>) => void;
}

/** Several of the incident's evidences. */
export function EvidencePicker({ rows, isLoaded, empty, chosen, onChosen }: EvidencePickerProps) {
  if (!isLoaded) return <p role="status">{messages.loading}</p>;
  if (rows.length === 0) return <p>{empty}</p>;
  const toggle = (id: string, isOn: boolean) => {
    const next = new Set(chosen);
    if (isOn) next.add(id);
    else next.delete(id);
    onChosen(next);
  };
  return (
    <ul className={classes.picker}>
      {rows.map(({ id, row }) => (
        <li key={id}>
          <label className={classes.pick}>
            <input
              type="checkbox"
              checked={chosen.has(id)}
              onChange={(event) => toggle(id, event.currentTarget.checked)}
            />
            <span>
              {wordFor('evidenceTypes', row.type)}: {row.description || messages.noDescription}
            </span>
          </label>
        </li>
      ))}
    </ul>
  );
}
