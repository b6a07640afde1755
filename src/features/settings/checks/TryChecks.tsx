/** Has the server run the checks of a form once, before anybody keeps them, and tells what each came to. */
import { useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import type { TriedCheck, TriedChecks } from '../../../contract/http/trying/try-check.ts';
import { tryCheck } from '../../../data/commands/commands.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { parseYamlObject } from '../../../ui/code/yaml-lint.ts';
import { labelsOf } from '../../../ui/form/labels.ts';
import { SafeText } from '../../../ui/marks/SafeText.tsx';
import { HealthLabel } from '../../../ui/marks/HealthMark.tsx';
import { messages } from './messages.ts';
import type { ResourceValues } from '../resources/resource-form.ts';
import classes from './checks.module.css';

const words = messages.tried;
const MAX_TEXT_CHARS = 4000;
const STATES = { passed: 'healthy', failed: 'unhealthy', invalid: 'warning', 'not-run': 'unknown' } as const;

function Tried({ check }: { check: TriedCheck }) {
  const text = check.error ?? check.message ?? '';
  return (
    <li className={classes.result}>
      <HealthLabel
        state={STATES[check.outcome]}
        text={words.outcome(check.name, check.outcome, check.duration_ms)}
      />
      {text !== '' && (
        <p className={classes.text}>
          <SafeText text={text} maxChars={MAX_TEXT_CHARS} />
        </p>
      )}
      {check.steps.length > 0 && (
        <ol className={classes.steps}>
          {check.steps.map(({ step, ok, text: said }, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- steps come in their order and never move
            <li key={at}>
              <strong>{words.steps[step]}</strong> {ok ? words.ok : words.wrong}
              {said !== '' && said !== text && (
                <code>
                  <SafeText text={said} maxChars={MAX_TEXT_CHARS} />
                </code>
              )}
            </li>
          ))}
        </ol>
      )}
      {check.data !== '{}' && (
        <details>
          <summary>{words.data}</summary>
          <pre tabIndex={0}>
            <SafeText text={check.data} maxChars={check.data.length} />
          </pre>
          {check.is_data_cut && <p>{words.cut}</p>}
        </details>
      )}
    </li>
  );
}

/** `of` is the specification that was tried. */
type Answer = ({ ok: true; value: TriedChecks } | { ok: false; text: string }) & { of: string };

/** `id` of what is being changed; null for a new one. See the head of this file. */
export function TryChecks({ id }: { id: string | null }) {
  const form = useFormContext<ResourceValues>();
  const current = useWatch<ResourceValues, 'spec'>({ name: 'spec' });
  const isReachable = useReachable();
  const [isBusy, setIsBusy] = useState(false);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const run = async () => {
    const { name, namespace, labels, spec: text } = form.getValues();
    const spec = parseYamlObject(text);
    if (!spec.ok) return setAnswer({ ok: false, text: spec.message, of: text });
    setIsBusy(true);
    setAnswer(null);
    const asked = {
      id,
      name,
      namespace: namespace.trim() || 'default',
      labels: labelsOf(labels),
      spec: spec.value,
    };
    const told = await tryCheck(asked);
    setIsBusy(false);
    setAnswer({ ...(told.ok ? told : { ok: false, text: messages.errorText(told.error) }), of: text });
  };
  return (
    <div className={classes.try}>
      <span className={classes.tryLine}>
        <Button disabled={isBusy || !isReachable} onClick={() => void run()}>
          {isBusy ? words.busy : words.action}
        </Button>
        <span className={classes.hint}>{words.hint}</span>
      </span>
      <div role="status">
        {answer !== null && answer.of !== current && <p className={classes.hint}>{words.old}</p>}
        {answer?.ok === false && <p role="alert">{answer.text}</p>}
        {answer?.ok === true && (
          <ul className={classes.results} aria-label={words.results}>
            {answer.value.checks.map((check, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- results of one run, which never move
              <Tried key={at} check={check} />
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
