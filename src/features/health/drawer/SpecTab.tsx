import { Suspense, useMemo } from 'react';
import type { CheckDetail } from '../../../contract/queries/check-queries.ts';
import type { Loadable } from '../../../data/client/loadable.ts';
import { CodeView } from '../../../ui/code/lazy-code.tsx';
import { CopyButton } from '../../../ui/feedback/CopyButton.tsx';
import { CacheNote } from '../../../ui/feedback/CacheNote.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { yamlText } from '../../../ui/code/yaml-text.ts';
import classes from './drawer.module.css';
import { messages } from './messages.ts';
import { NotHere } from './NotHere.tsx';

/** The check's specification as YAML. */
export function SpecTab({ detail }: { detail: Loadable<CheckDetail> }) {
  const { kept, error } = detail;
  const text = useMemo(() => yamlText(kept?.value.spec), [kept]);
  if (kept === null) {
    if (error === null) return <p role="status">{ui.loading}</p>;
    return <NotHere what={messages.tabs.spec} error={error} />;
  }
  return (
    <>
      <div className={classes.bar}>
        <CacheNote {...kept} />
        <span />
        <CopyButton text={text} />
      </div>
      <div className={classes.code}>
        <Suspense fallback={<pre>{text}</pre>}>
          <CodeView text={text} />
        </Suspense>
      </div>
    </>
  );
}
