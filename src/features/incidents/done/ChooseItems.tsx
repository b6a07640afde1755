import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { Condition } from '../../../contract/live-query.ts';
import { EVIDENCE_TYPES } from '../../../domain/incident/incident.ts';
import { Button, IconButton } from '../../../ui/actions/Button.tsx';
import { Pager } from '../../../ui/tables/Pager.tsx';
import { Segmented } from '../../../ui/actions/Segmented.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { Tag } from '../../../ui/marks/Tag.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { EvidencePicker } from '../evidence/EvidencePicker.tsx';
import { useIncident } from '../incident-context.tsx';
import { PAGE_ROWS } from '../page-rows.ts';
import { useRecords } from '../use-records.ts';
import { optionsFor, wordFor } from '../words.ts';
import type { DoneChoice, DoneWay } from './done-choice.ts';
import classes from './done.module.css';
import { messages } from './messages.ts';

const words = messages.wizard;
const ALL = 'all';
const IS_OTHER: Condition = { field: 'definition_of_done', op: 'not', value: true };
const WAYS = (['existing', 'new', 'manual'] as const).map((value) => ({ value, label: words.way[value] }));

interface StepProps {
  choice: DoneChoice;
  onChange: (choice: DoneChoice) => void;
}

/** Evidences of the incident that aren't part of it yet, a window at a time. */
function Existing({ choice, onChange }: StepProps) {
  const { incidentId } = useIncident();
  const [type, setType] = useState<string>(ALL);
  const [start, setStart] = useState(0);
  const ofType: Condition[] = type === ALL ? [] : [{ field: 'type', op: 'eq', value: type }];
  const others = useRecords(incidentId, 'evidence', { start, where: [IS_OTHER, ...ofType] });
  const keep = (ids: ReadonlySet<string>) => {
    const known = new Map([...choice.rows, ...others.rows.map(({ id, row }) => [id, row] as const)]);
    onChange({ ...choice, rows: new Map([...known].filter(([id]) => ids.has(id))) });
  };
  return (
    <>
      <div className={classes.filter}>
        <SelectField
          label={words.type}
          value={type}
          options={[{ value: ALL, label: words.allTypes }, ...optionsFor('evidenceTypes', EVIDENCE_TYPES)]}
          onChange={(next) => {
            setType(next);
            setStart(0);
          }}
        />
        <span className={classes.note} role="status">
          {words.selected(choice.rows.size)}
        </span>
      </div>
      <EvidencePicker
        rows={others.rows}
        isLoaded={others.isLoaded}
        empty={messages.noOthers}
        chosen={new Set(choice.rows.keys())}
        onChosen={keep}
      />
      <Pager
        isOldestFirst
        start={others.start}
        count={others.rows.length}
        total={others.total}
        pageSize={PAGE_ROWS}
        onStart={setStart}
      />
    </>
  );
}

interface FreshProps extends StepProps {
  /** Opens the wizard that finds new evidence; null while it could belong nowhere. */
  onSearch: (() => void) | null;
}

function Fresh({ choice, onChange, onSearch }: FreshProps) {
  const { drafts } = choice;
  return (
    <>
      {drafts.length > 0 && (
        <ul className={classes.chosen} aria-label={words.chosenNew}>
          {drafts.map((draft, at) => (
            <li key={at}>
              <Tag value={wordFor('evidenceTypes', draft.type)} />
              <span className={classes.itemMain}>{draft.description}</span>
              <IconButton
                label={messages.remove}
                onClick={() => onChange({ ...choice, drafts: drafts.filter((other) => other !== draft) })}
              >
                <IconX size={16} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button disabled={onSearch === null} onClick={onSearch ?? undefined}>
          {words.chooseNew}
        </Button>
      </div>
    </>
  );
}

function Manual({ choice, onChange }: StepProps) {
  return (
    <>
      <TextField
        hasFocus
        isLong
        label={words.manualLabel}
        value={choice.text}
        maxLength={50_000}
        onChange={(text) => onChange({ ...choice, text })}
      />
      <label className={classes.check}>
        <input
          type="checkbox"
          checked={choice.isDone}
          onChange={(event) => onChange({ ...choice, isDone: event.currentTarget.checked })}
        />
        {words.manualDone}
      </label>
      <p className={classes.note}>{words.manualHint}</p>
    </>
  );
}

/** The wizard's first step: evidences that are there, new ones, or something done by hand. */
export function ChooseItems(props: FreshProps) {
  const { choice, onChange } = props;
  return (
    <>
      <Segmented<DoneWay>
        label={words.ways}
        value={choice.way}
        options={WAYS}
        onChange={(way) => onChange({ ...choice, way })}
      />
      {choice.way === 'existing' && <Existing {...props} />}
      {choice.way === 'new' && <Fresh {...props} />}
      {choice.way === 'manual' && <Manual {...props} />}
    </>
  );
}
