/**
 * Takes over what people have: a backup of Uptime Kuma, a configuration of Gatus, targets of the blackbox exporter, or
 * files of canaries. Shows what each becomes before anything is kept.
 */
import { useMemo, useState, type ChangeEvent } from 'react';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useTable } from '../../../data/queries/use-table.ts';
import type { ImportEntry } from '../../../domain/import/import-entry.ts';
import type { ReadImport } from '../../../domain/import/read-import.ts';
import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { Button, buttonClass } from '../../../ui/actions/Button.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { HealthLabel } from '../../../ui/marks/HealthMark.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { Page } from '../../../ui/page/Page.tsx';
import classes from './checks.module.css';
import { messages } from './messages.ts';
import { readFile } from './read-file.ts';
import { useImport, type ImportResult } from './use-import.ts';

const words = messages.import;
const DEFAULT_NAMESPACE = 'default';
/** Names that are there are looked up among so many. */
const MOST_NAMES = 1000;

/** `namespace/name` of the canaries that are there. */
function useTaken(): ReadonlySet<string> {
  const { kept } = useTable({ view: 'canaries', limit: MOST_NAMES });
  const rows = kept?.value.rows;
  return useMemo(
    () =>
      new Set((rows ?? []).map(({ name, namespace }) => `${namespace ?? DEFAULT_NAMESPACE}/${name ?? ''}`)),
    [rows],
  );
}

interface Source {
  text: string;
  onText: (text: string) => void;
}

function SourceFields({ text, onText }: Source) {
  const pick = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.currentTarget.files ?? [];
    if (file !== undefined) onText(await file.text());
  };
  return (
    <>
      <label className={`${buttonClass('outline')} ${classes.file}`}>
        {words.choose}
        <input type="file" accept=".json,.yaml,.yml" onChange={(event) => void pick(event)} />
      </label>
      <TextField
        label={words.paste}
        isLong
        isSpellChecked={false}
        placeholder={words.pasteHint}
        value={text}
        onChange={onText}
      />
    </>
  );
}

interface EntryProps {
  entry: ImportEntry;
  isTaken: boolean;
  isChosen: boolean;
  isLocked: boolean;
  result: ImportResult | undefined;
  onToggle: () => void;
}

function Entry({ entry, isTaken, isChosen, isLocked, result, onToggle }: EntryProps) {
  const { name, spec, labels, notes } = entry;
  const tags = Object.entries(labels).map(([key, value]) => (value === '' ? key : `${key}: ${value}`));
  return (
    <li className={classes.entry}>
      <label className={classes.entryName}>
        <input
          type="checkbox"
          checked={isChosen}
          disabled={isLocked || spec === null || result?.kind === 'saved'}
          onChange={onToggle}
        />
        <span>{name}</span>
      </label>
      <span className={classes.entryFacts}>
        {spec !== null && <span>{words.becomes(spec)}</span>}
        {tags.length > 0 && <span>{tags.join(', ')}</span>}
        {isTaken && result === undefined && <span>{words.taken}</span>}
      </span>
      {notes.map((note) => (
        <span key={note} className={classes.note}>
          {note}
        </span>
      ))}
      {result !== undefined && (
        <HealthLabel
          state={result.kind === 'saved' ? 'healthy' : 'unhealthy'}
          text={result.kind === 'saved' ? words.saved : result.text}
        />
      )}
    </li>
  );
}

function Preview({ found, userId }: { found: ReadImport; userId: string }) {
  const toasts = useToasts();
  const isReachable = useReachable();
  const taken = useTaken();
  const [namespace, setNamespace] = useState(DEFAULT_NAMESPACE);
  const { results, isBusy, run } = useImport(userId);
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set());
  const isTaken = (entry: ImportEntry) => taken.has(`${entry.namespace ?? namespace}/${entry.name}`);
  // What can be taken over is chosen, but for what is there already; each press turns that around.
  const isChosen = (entry: ImportEntry, at: number) =>
    entry.spec !== null && results.get(at)?.kind !== 'saved' && isTaken(entry) === toggled.has(at);
  const chosen = found.entries.flatMap((entry, at) => (isChosen(entry, at) ? [[at, entry] as const] : []));
  const toggle = (at: number) =>
    setToggled((before) => {
      const next = new Set(before);
      if (!next.delete(at)) next.add(at);
      return next;
    });
  const save = async () => {
    const count = await run(chosen, namespace.trim() || DEFAULT_NAMESPACE);
    if (count === chosen.length) toasts.success(words.done(count));
    else toasts.error(words.doneInPart(count, chosen.length));
  };
  return (
    <section className={classes.preview} aria-label={words.preview}>
      <h2>{words.found(words.formats[found.format], found.entries.length)}</h2>
      {found.more > 0 && <p role="status">{words.more(found.more)}</p>}
      <TextField label={words.namespace} value={namespace} onChange={setNamespace} isDisabled={isBusy} />
      <ul className={classes.entries} aria-label={words.preview}>
        {found.entries.map((entry, at) => (
          <Entry
            // oxlint-disable-next-line react/no-array-index-key -- an entry is its place in the file
            key={at}
            entry={entry}
            isTaken={isTaken(entry)}
            isChosen={isChosen(entry, at)}
            isLocked={isBusy}
            result={results.get(at)}
            onToggle={() => toggle(at)}
          />
        ))}
      </ul>
      <div className={classes.tryLine}>
        <Button
          look="primary"
          disabled={isBusy || !isReachable || chosen.length === 0}
          title={isReachable ? undefined : ui.needsServer}
          onClick={() => void save()}
        >
          {isBusy ? words.importing : words.action(chosen.length)}
        </Button>
        <AppLink href={links.health()}>{words.toBoard}</AppLink>
      </div>
    </section>
  );
}

/** See the head of this file. */
export function ImportPage({ reader, mayAdd }: { reader: { id: string }; mayAdd: boolean }) {
  const [text, setText] = useState('');
  const found = useMemo(() => (text === '' ? null : readFile(text)), [text]);
  if (!mayAdd)
    return (
      <Page title={words.title}>
        <p>{messages.mayNot}</p>
      </Page>
    );
  return (
    <Page title={words.title} lead={words.lead}>
      <div className={classes.form}>
        <SourceFields text={text} onText={setText} />
        {found?.ok === false && <p role="alert">{found.message}</p>}
        {found?.ok === true && <Preview key={text} found={found.value} userId={reader.id} />}
      </div>
    </Page>
  );
}
