/** What a silence would do, before it is saved: worked out from the send history and the things of this device. */
import { useFormContext, useWatch } from 'react-hook-form';
import type { SilencePreview as Preview } from '../../../contract/queries/silence-view.ts';
import { useSilencePreview } from '../../../data/queries/notifications/use-silences.ts';
import { nextWindows } from '../../../domain/incident/next-windows.ts';
import { windowsOf } from '../../../domain/notification/recurrence.ts';
import { formatInstant } from '../../../domain/time/format.ts';
import { useDevice } from '../../../ui/Device.tsx';
import { useSettled } from '../../../ui/hooks/use-settled.ts';
import { messages } from './messages.ts';
import { scopeOf, silenceColumns, timesOf, type SilenceValues } from './silence-form.ts';
import classes from './silences.module.css';

const words = messages.preview;
const TYPING_MS = 300;
const OCCURRENCES = 3;
const KINDS = ['component', 'config', 'check'] as const;

function Figures({ preview }: { preview: Preview | null }) {
  if (preview === null || !preview.isLoaded) return <p>{words.working}</p>;
  const { hidden, total, covers, unknown } = preview;
  const parts = KINDS.filter((kind) => covers[kind] > 0).map((kind) => words.kinds[kind](covers[kind]));
  return (
    <>
      <p>
        <strong>{words.hidden(hidden, total)}</strong>
      </p>
      <p>{parts.length === 0 ? words.coversNothing : words.covers(parts)}</p>
      {unknown > 0 && <p className={classes.note}>{words.unknown(unknown)}</p>}
    </>
  );
}

function Occurrences({ form, nowMs }: { form: SilenceValues; nowMs: number }) {
  const { fromMs, untilMs } = timesOf(form, nowMs);
  const { recurrence } = silenceColumns(form, nowMs);
  if (recurrence === null || fromMs === null || untilMs === null) return null;
  const range = { fromMs: Math.max(fromMs, nowMs), untilMs };
  const found = nextWindows(windowsOf(recurrence), range, OCCURRENCES);
  return (
    <div>
      <h3>{words.next}</h3>
      {found.length === 0 ? (
        <p className={classes.note}>{words.none}</p>
      ) : (
        <ol className={classes.next}>
          {found.map(({ startMs, endMs }) => (
            <li key={startMs}>{messages.span(formatInstant(startMs), formatInstant(endMs))}</li>
          ))}
        </ol>
      )}
    </div>
  );
}

/** See the head of this file. */
export function SilencePreview() {
  const device = useDevice();
  const { control, getValues } = useFormContext<SilenceValues>();
  useWatch({ control });
  const form = getValues();
  const nowMs = device.now();
  const text = useSettled(JSON.stringify(scopeOf(form, nowMs)), TYPING_MS);
  const scope = JSON.parse(text) as ReturnType<typeof scopeOf>;
  const preview = useSilencePreview(scope);
  return (
    <section className={classes.preview} aria-label={words.title} aria-live="polite">
      <h3>{words.title}</h3>
      {scope === null ? (
        <p className={classes.note}>{messages.form.required}</p>
      ) : (
        <Figures preview={preview} />
      )}
      <Occurrences form={form} nowMs={nowMs} />
    </section>
  );
}
