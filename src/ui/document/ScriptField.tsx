/** A condition or an expression, in one of the languages that scripts may be written in. */
import { useState } from 'react';
import {
  NO_LANGUAGE,
  SCRIPT_LANGUAGES,
  scriptIn,
  scriptText,
  type ScriptLanguage,
} from '../../domain/script-language.ts';
import { recordOf } from '../../lib/is-record.ts';
import { FormSelect } from '../fields/FormSelect.tsx';
import { TextField } from '../fields/TextField.tsx';
import classes from './document.module.css';
import { messages } from './messages.ts';

interface ScriptFieldProps {
  label: string;
  isRequired: boolean;
  isDisabled: boolean;
  error: string | undefined;
  value: unknown;
  /** Undefined takes it away. */
  onChange: (value: unknown) => void;
  /** Of one of its keys: what somebody wrote beside it in the document stays. */
  onText: (key: string, text: string) => void;
}

/** A language without a text is only chosen here: a script with nothing in it never stands in the document. */
export function ScriptField({ value, onChange, onText, ...common }: ScriptFieldProps) {
  const written = recordOf(value);
  const kept = scriptText(written);
  const [chosen, setChosen] = useState<ScriptLanguage | null>(null);
  const language = kept?.language ?? chosen;
  const write = (next: ScriptLanguage | null, text: string) => {
    setChosen(next);
    if (kept !== null && kept.language === next && text.trim() !== '') onText(kept.key, text);
    else onChange(scriptIn(written, next, text));
  };
  return (
    <fieldset className={classes.group}>
      <legend>{common.label}</legend>
      <div className={classes.script}>
        <FormSelect
          aria-label={messages.script.language(common.label)}
          disabled={common.isDisabled}
          value={language ?? NO_LANGUAGE}
          onChange={({ currentTarget }) => {
            const next = SCRIPT_LANGUAGES.find(({ label }) => label === currentTarget.value);
            write(next?.label ?? null, kept?.text ?? '');
          }}
        >
          <option>{NO_LANGUAGE}</option>
          {SCRIPT_LANGUAGES.map(({ label }) => (
            <option key={label}>{label}</option>
          ))}
        </FormSelect>
        {language !== null && (
          <TextField
            {...common}
            isLabelHidden
            isLong
            isSpellChecked={false}
            value={kept?.text ?? ''}
            onChange={(text) => write(language, text)}
          />
        )}
      </div>
    </fieldset>
  );
}
