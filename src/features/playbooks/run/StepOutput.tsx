/** What a step wrote, its error, and the files that it left. */
import { IconDownload, IconExternalLink, IconFile } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { StepDetail } from '../../../contract/http/playbooks/playbooks.ts';
import { useQuery } from '../../../data/queries/use-query.ts';
import { links } from '../../../domain/links.ts';
import {
  createLineReader,
  exitCodeOf,
  linksOf,
  outputFile,
  outputLines,
  stepOutput,
} from '../../../domain/playbook/output.ts';
import { INITIALIZATION, isActionOver, type ShownStep } from '../../../domain/playbook/run.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { yamlText } from '../../../ui/code/yaml-text.ts';
import { CacheNote } from '../../../ui/feedback/CacheNote.tsx';
import { CopyButton } from '../../../ui/feedback/CopyButton.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { SafeText } from '../../../ui/marks/SafeText.tsx';
import { messages } from '../messages.ts';
import { saveFile } from '../../../ui/actions/save-file.ts';
import { OutputLines } from './OutputLines.tsx';
import classes from './run.module.css';

const words = messages.detail;
const MAX_ERROR_CHARS = 20_000;

interface About {
  id: string;
  title: string;
  error: string | null;
  /** What the step wrote so far; null where that isn't known. */
  live: string | null;
}

interface StepOutputProps {
  step: ShownStep;
  run: About;
}

function ErrorBox({ text }: { text: string }) {
  return (
    <div className={classes.error} role="alert">
      <strong>{words.error}</strong>
      <pre tabIndex={0}>
        <SafeText text={text} maxChars={MAX_ERROR_CHARS} />
      </pre>
    </div>
  );
}

/** Saves what is shown; what came of it is said. */
function Download({
  result,
  title,
  startedAt,
}: {
  result: unknown;
  title: string;
  startedAt: string | null;
}) {
  const toasts = useToasts();
  const save = () => {
    try {
      saveFile(outputFile(result, { playbook: title, startedAt }));
      toasts.success(words.downloaded);
    } catch {
      // The browser took neither the text nor the address: the user is told, and nothing else is lost.
      toasts.error(words.downloadFailed);
    }
  };
  return (
    <Button onClick={save}>
      <IconDownload size={15} aria-hidden />
      {words.download}
    </Button>
  );
}

function Files({ files }: { files: NonNullable<StepDetail['artifacts']> }) {
  if (files.length === 0) return null;
  return (
    <ul className={classes.files} aria-label={words.files}>
      {files.map(({ id, filename }) => (
        <li key={id}>
          <a href={links.artifact(id)} download={filename}>
            <IconFile size={14} aria-hidden /> {filename}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Where to look at what the step did elsewhere. */
function Links({ addresses }: { addresses: readonly string[] }) {
  if (addresses.length === 0) return null;
  return (
    <ul className={classes.files} aria-label={words.links}>
      {addresses.map((address) => (
        <li key={address}>
          <a href={address} target="_blank" rel="noreferrer noopener">
            <IconExternalLink size={14} aria-hidden /> {address}
          </a>
        </li>
      ))}
    </ul>
  );
}

interface WrittenProps {
  detail: typeof NOT_LOADED;
  step: ShownStep;
  title: string;
  /** What it wrote so far; null where that isn't known. */
  live: string | null;
}

function Written({ detail, step, title, live }: WrittenProps) {
  const isOver = isActionOver(detail.status);
  const output = useMemo(() => stepOutput(detail.result), [detail.result]);
  const rest = useMemo(() => yamlText(output.rest), [output.rest]);
  const hasRest = Object.keys(output.rest).length > 0;
  const whole = output.isText ? output.text : hasRest ? rest : '';
  const [readLive] = useState(createLineReader);
  const lines = useMemo(
    () => (isOver || live === null ? outputLines(whole) : readLive(live)),
    [isOver, live, whole, readLive],
  );
  const errors = useMemo(() => outputLines(isOver ? output.errors : ''), [isOver, output.errors]);
  const code = exitCodeOf(detail.result);
  const isEmpty = lines.length === 0 && errors.length === 0;
  return (
    <>
      {(detail.error ?? '') !== '' && <ErrorBox text={detail.error ?? ''} />}
      <Links addresses={linksOf(detail.result)} />
      <Files files={detail.artifacts ?? []} />
      {isEmpty && <p className={classes.none}>{isOver ? words.noResult : words.running}</p>}
      {lines.length > 0 && (
        <OutputLines label={words.output(step.name)} lines={lines} isGrowing={!isOver}>
          {code !== null && code !== 0 && <span className={classes.code}>{words.exitCode(code)}</span>}
          <CopyButton text={whole || lines.join('\n')} />
          <Download result={detail.result ?? lines.join('\n')} title={title} startedAt={step.startedAt} />
        </OutputLines>
      )}
      {errors.length > 0 && (
        <>
          <h3 className={classes.subhead}>{words.errors}</h3>
          <OutputLines label={words.errors} lines={errors} isGrowing={false}>
            <CopyButton text={output.errors} />
            {lines.length === 0 && (
              <Download result={detail.result} title={title} startedAt={step.startedAt} />
            )}
          </OutputLines>
        </>
      )}
      {output.isText && hasRest && <pre className={classes.rest}>{rest}</pre>}
    </>
  );
}

const NOT_LOADED: Pick<StepDetail, 'status' | 'result' | 'error' | 'artifacts'> = { status: 'running' };

function Fetched({ step, run }: StepOutputProps) {
  const { kept, error } = useQuery('playbook-step', { stepId: step.id });
  if (kept === null) {
    // What it writes comes before it is loaded.
    if (run.live !== null)
      return <Written detail={NOT_LOADED} step={step} title={run.title} live={run.live} />;
    if (error === null) return <p role="status">{words.loadingOutput}</p>;
    const isAway = error.code === 'network' || error.code === 'timeout';
    return <p role="alert">{isAway ? words.offline : messages.errorText(error)}</p>;
  }
  return (
    <>
      <CacheNote {...kept} />
      <Written detail={kept.value} step={step} title={run.title} live={run.live} />
    </>
  );
}

/** The output of the selected step; of what failed before the first one, its error. */
export function StepOutput({ step, run }: StepOutputProps) {
  return (
    <section className={classes.output} aria-label={words.output(step.name)}>
      <h2>{step.name}</h2>
      {step.id === INITIALIZATION ? <ErrorBox text={run.error ?? ''} /> : <Fetched step={step} run={run} />}
    </section>
  );
}
