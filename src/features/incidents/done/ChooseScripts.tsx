import { wordFor } from '../words.ts';
import { typesOf, type DoneChoice } from './done-choice.ts';
import type { Scripts } from './done-requests.ts';
import classes from './done.module.css';
import { messages } from './messages.ts';
import { ScriptField, type ScriptSubject } from './ScriptField.tsx';

const words = messages.wizard;

interface ChooseScriptsProps {
  choice: DoneChoice;
  scripts: Scripts;
  onChange: (type: string, script: string) => void;
}

/** What a type's script is tried on: the first that was chosen of it. */
function subjectOf({ way, rows, drafts }: DoneChoice, type: string): ScriptSubject | null {
  const row = [...rows.values()].find((one) => one.type === type);
  const found = way === 'existing' ? row : drafts.find((draft) => draft.type === type);
  if (found === undefined) return null;
  return {
    evidence_id: way === 'existing' ? (row?.id ?? null) : null,
    config_id: found.config_id ?? null,
    config_change_id: found.config_change_id ?? null,
    config_analysis_id: found.config_analysis_id ?? null,
    component_id: found.component_id ?? null,
    check_id: found.check_id ?? null,
  };
}

/** The wizard's second step: a script for each type of evidence that can be evaluated. */
export function ChooseScripts({ choice, scripts, onChange }: ChooseScriptsProps) {
  const types = typesOf(choice).filter((type) => type !== 'comment');
  if (types.length === 0) return <p className={classes.note}>{words.noScript}</p>;
  return types.map((type) => (
    <ScriptField
      key={type}
      label={types.length === 1 ? messages.editor.label : words.scriptFor(wordFor('evidenceTypes', type))}
      type={type}
      script={scripts[type] ?? ''}
      subject={subjectOf(choice, type)}
      onChange={(script) => onChange(type, script)}
    />
  ));
}
