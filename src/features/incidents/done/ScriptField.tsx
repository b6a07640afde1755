/** A definition of done's script: templates to start from, what it sees, and trying it before it is kept. */
import { Suspense, useId, useState } from 'react';
import type { ErrorFacts } from '../../../contract/errors.ts';
import type { TriedDone, TryDone } from '../../../contract/http/trying/try-done.ts';
import { tryDone } from '../../../data/commands/commands.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { SCRIPT_VARIABLES, scriptTemplates } from '../../../domain/incident/done-scripts.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { CodeEditor } from '../../../ui/code/lazy-code.tsx';
import { useIncident } from '../incident-context.tsx';
import classes from './done.module.css';
import { messages } from './messages.ts';

const words = messages.editor;

/** What a script is tried on. */
export type ScriptSubject = Omit<TryDone, 'incidentId' | 'script'>;

interface ScriptFieldProps {
  label: string;
  /** Type of the evidence. */
  type: string;
  script: string;
  /** Null: there is nothing to try it on yet. */
  subject: ScriptSubject | null;
  onChange: (script: string) => void;
}

function Templates({ type, onChange }: Pick<ScriptFieldProps, 'type' | 'onChange'>) {
  const templates = scriptTemplates(type);
  if (templates.length === 0) return null;
  return (
    <div className={classes.templates} role="group" aria-label={words.templates}>
      <span className={classes.caption}>{words.templates}</span>
      {templates.map(([name, script]) => (
        <Button key={name} onClick={() => onChange(script)}>
          {words.templateNames[name]}
        </Button>
      ))}
    </div>
  );
}

function Variables() {
  return (
    <details className={classes.help}>
      <summary>{words.variables}</summary>
      <p className={classes.note}>{words.variablesHint}</p>
      <dl>
        {SCRIPT_VARIABLES.map((name) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{words.variableWords[name]}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

type Tried =
  | { script: string; ok: true; value: TriedDone }
  | { script: string; ok: false; error: ErrorFacts };

function triedText(tried: Tried): string {
  if (!tried.ok) return messages.errorText(tried.error);
  const { done, text, error } = tried.value;
  if (typeof error === 'string') return words.tried.error(error);
  if (typeof done === 'boolean') return done ? words.tried.done : words.tried.notDone;
  return typeof text === 'string' && text !== '' ? words.tried.text(text) : words.tried.nothing;
}

function Trial({ script, subject }: { script: string; subject: ScriptSubject }) {
  const { incidentId } = useIncident();
  const isReachable = useReachable();
  const reasonId = useId();
  const [isBusy, setIsBusy] = useState(false);
  const [tried, setTried] = useState<Tried | null>(null);
  const run = async () => {
    setIsBusy(true);
    const answer = await tryDone({ ...subject, incidentId, script });
    setTried({ ...answer, script });
    setIsBusy(false);
  };
  return (
    <>
      <div className={classes.templates}>
        <Button
          disabled={isBusy || !isReachable || script.trim() === ''}
          aria-describedby={isReachable ? undefined : reasonId}
          onClick={() => void run()}
        >
          {isBusy ? words.trying : words.try}
        </Button>
      </div>
      {!isReachable && (
        <p id={reasonId} className={classes.note}>
          {words.tryOffline}
        </p>
      )}
      {/* A result of another script says nothing about this one. */}
      {tried !== null && tried.script === script && (
        <p role="status" className={classes.tried}>
          {triedText(tried)}
        </p>
      )}
    </>
  );
}

/** `subject` is what the script will be about, for trying it. */
export function ScriptField({ label, type, script, subject, onChange }: ScriptFieldProps) {
  // The editor's text is its own: a template starts it anew.
  const [start, setStart] = useState({ script, count: 0 });
  const replace = (next: string) => {
    setStart(({ count }) => ({ script: next, count: count + 1 }));
    onChange(next);
  };
  return (
    <fieldset className={classes.field}>
      <legend>{label}</legend>
      <Templates type={type} onChange={replace} />
      <div className={classes.editor}>
        <Suspense fallback={<pre>{script}</pre>}>
          <CodeEditor
            key={start.count}
            label={label}
            text={start.script}
            schema={undefined}
            isReadOnly={false}
            language="expression"
            minHeight="72px"
            onChange={onChange}
          />
        </Suspense>
      </div>
      <p className={classes.note}>{words.hint}</p>
      {subject !== null && <Trial script={script} subject={subject} />}
      <Variables />
    </fieldset>
  );
}
