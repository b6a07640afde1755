/** Has the server read the scraper of a form once, before anybody keeps it, and tells what each entry would bring. */
import { useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import type { TriedEntry, TriedScraper } from '../../../contract/http/trying/try-scraper.ts';
import { tryScraper } from '../../../data/commands/commands.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { parseYamlObject } from '../../../ui/code/yaml-lint.ts';
import { HealthLabel } from '../../../ui/marks/HealthMark.tsx';
import { SafeText } from '../../../ui/marks/SafeText.tsx';
import classes from '../checks/checks.module.css';
import type { ResourceValues } from '../resources/resource-form.ts';
import { messages } from './messages.ts';

const MAX_TEXT_CHARS = 4000;

function Texts({ texts }: { texts: readonly string[] }) {
  return texts.map((text) => (
    <p key={text} className={classes.text}>
      <SafeText text={text} maxChars={MAX_TEXT_CHARS} />
    </p>
  ));
}

function Items({ entry }: { entry: TriedEntry }) {
  if (entry.items.length === 0) return null;
  return (
    <details>
      <summary>{messages.items(entry.items.length, entry.item_count)}</summary>
      <ul className={classes.results}>
        {entry.items.map((item) => (
          <li key={`${item.type} ${item.id}`}>
            <details>
              <summary>
                <SafeText text={`${item.name} (${item.type}, ${item.id})`} maxChars={MAX_TEXT_CHARS} />
                {item.status !== null && ` ${item.status}`}
              </summary>
              <pre tabIndex={0}>
                <SafeText text={item.config} maxChars={item.config.length} />
                {item.is_config_cut && ` … ${messages.cut}`}
              </pre>
            </details>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Entry({ entry }: { entry: TriedEntry }) {
  const { field, ok, steps, errors, warnings } = entry;
  return (
    <li className={classes.result}>
      <HealthLabel state={ok ? 'healthy' : 'unhealthy'} text={messages.entry(field, ok)} />
      {ok && <span>{messages.found(entry.item_count, entry.change_count, entry.analysis_count)}</span>}
      <ol className={classes.steps}>
        {steps.map(({ step, ok: isOk, text }) => (
          <li key={step}>
            <strong>{messages.steps[step]}</strong> {isOk ? messages.ok : messages.wrong}
            {text !== '' && (
              <code>
                <SafeText text={text} maxChars={MAX_TEXT_CHARS} />
              </code>
            )}
          </li>
        ))}
      </ol>
      <Texts texts={[...errors.slice(1), ...warnings.slice(1)]} />
      <Items entry={entry} />
    </li>
  );
}

/** `of` is the specification that was tried. */
type Answer = ({ ok: true; value: TriedScraper } | { ok: false; text: string }) & { of: string };

/** `id` of what is being changed; null for a new one. See the head of this file. */
export function TryScraper({ id }: { id: string | null }) {
  const form = useFormContext<ResourceValues>();
  const current = useWatch<ResourceValues, 'spec'>({ name: 'spec' });
  const isReachable = useReachable();
  const [isBusy, setIsBusy] = useState(false);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const run = async () => {
    const { name, namespace, spec: text } = form.getValues();
    const spec = parseYamlObject(text);
    if (!spec.ok) return setAnswer({ ok: false, text: spec.message, of: text });
    setIsBusy(true);
    setAnswer(null);
    const told = await tryScraper({ id, name, namespace: namespace.trim() || 'default', spec: spec.value });
    setIsBusy(false);
    setAnswer({ ...(told.ok ? told : { ok: false, text: messages.errorText(told.error) }), of: text });
  };
  return (
    <div className={classes.try}>
      <span className={classes.tryLine}>
        <Button disabled={isBusy || !isReachable} onClick={() => void run()}>
          {isBusy ? messages.busy : messages.action}
        </Button>
        <span className={classes.hint}>{messages.hint}</span>
      </span>
      <div role="status">
        {answer !== null && answer.of !== current && <p className={classes.hint}>{messages.old}</p>}
        {answer?.ok === false && <p className={classes.text}>{answer.text}</p>}
        {answer?.ok === true && (
          <>
            <p className={classes.hint}>{messages.took(answer.value.duration_ms)}</p>
            <ul className={classes.results} aria-label={messages.results}>
              {answer.value.entries.map((entry) => (
                <Entry key={entry.field} entry={entry} />
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  );
}
