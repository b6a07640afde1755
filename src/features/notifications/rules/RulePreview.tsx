/** What the rule would say, written by the server for the last such event; what fails is said at its field. */
import { useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import type { Previewed } from '../../../contract/http/notifications/rule-preview.ts';
import { previewRule } from '../../../data/commands/commands.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { formatInstant } from '../../../domain/time/format.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { ThingLink } from '../ThingLink.tsx';
import { messages } from './messages.ts';
import type { RuleValues } from './rule-form.ts';
import classes from './rules.module.css';

const words = messages.preview;
const orNull = (text: string) => text.trim() || null;

function Answer({ preview }: { preview: Previewed }) {
  const { about, at, title, body, isTold } = preview;
  if (about === null) return <p className={classes.note}>{words.nothing}</p>;
  return (
    <>
      <p className={classes.note}>
        {messages.kinds[about.kind] ?? about.kind}{' '}
        <ThingLink kind={about.kind} id={about.id} name={about.name || about.id} />
        {` · ${at === null ? words.standsIn : words.lastTold(formatInstant(Date.parse(at)))}`}
      </p>
      {isTold === false && <p>{words.filtered}</p>}
      <p className={classes.previewTitle}>{title}</p>
      <pre className={classes.previewBody}>{body.trim() === '' ? words.noBody : body}</pre>
    </>
  );
}

/** Asked for by a press: a template is written for the server, not for each key. */
export function RulePreview() {
  const { getValues, setError, clearErrors } = useFormContext<RuleValues>();
  const events = useWatch<RuleValues, 'events'>({ name: 'events' });
  const isReachable = useReachable();
  const [chosen, setChosen] = useState<string | null>(null);
  const [preview, setPreview] = useState<Previewed | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const event = events.find((one) => one === chosen) ?? events[0];
  const show = async () => {
    if (event === undefined) return;
    setIsBusy(true);
    const { title, template, filter } = getValues();
    const answer = await previewRule({
      event,
      title: orNull(title),
      template: orNull(template),
      filter: orNull(filter),
    });
    setIsBusy(false);
    setProblem(answer.ok ? null : messages.errorText(answer.error));
    setPreview(answer.ok ? answer.value : null);
    clearErrors(['title', 'template', 'filter']);
    for (const { field, message } of answer.ok ? answer.value.problems : []) setError(field, { message });
  };
  return (
    <section className={classes.preview} aria-label={words.title}>
      <div className={classes.previewHead}>
        <h3>{words.title}</h3>
        {events.length > 1 && (
          <SelectField
            label={words.event}
            value={event ?? ''}
            options={events.map((value) => ({ value, label: value }))}
            onChange={setChosen}
          />
        )}
        <Button disabled={isBusy || !isReachable || event === undefined} onClick={() => void show()}>
          {isBusy ? words.working : words.show}
        </Button>
      </div>
      {event === undefined && <p className={classes.note}>{words.noEvent}</p>}
      {!isReachable && <p className={classes.note}>{ui.needsServer}</p>}
      {problem !== null && <p role="alert">{problem}</p>}
      <div role="status">{preview !== null && <Answer preview={preview} />}</div>
    </section>
  );
}
