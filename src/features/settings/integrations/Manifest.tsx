/** The text that installs a chart, for Flux and for Helm's command line; whole, or with what is missing beside it. */
import { Suspense, useState } from 'react';
import { stringify } from 'yaml';
import { fluxObjects, helmCommands, type Installation } from '../../../domain/integration/manifests.ts';
import { CodeView } from '../../../ui/code/lazy-code.tsx';
import { CopyButton } from '../../../ui/feedback/CopyButton.tsx';
import { Button } from '../../../ui/actions/Button.tsx';
import { TabList } from '../../../ui/page/TabList.tsx';
import classes from './integrations.module.css';
import { messages } from './messages.ts';

const words = messages.gitops;
const TABS = (['flux', 'helm'] as const).map((key) => ({ key, text: words.tabs[key] }));
type Tab = (typeof TABS)[number]['key'];
/** Lines are as long as they are: nothing is to change on the way into a cluster. */
const AS_WRITTEN = { lineWidth: 0 } as const;

interface ManifestProps {
  installation: Installation;
  valuesText: string;
  problems: readonly string[];
}

/** See the head of this file. */
export function Manifest({ installation, valuesText, problems }: ManifestProps) {
  const [tab, setTab] = useState<Tab>('flux');
  const text =
    tab === 'flux'
      ? fluxObjects(installation)
          .map((object) => stringify(object, AS_WRITTEN))
          .join('---\n')
      : helmCommands(installation, valuesText);
  return (
    <section className={classes.output} aria-label={words.output}>
      <p className={classes.warning} role="note">
        {words.warning}
      </p>
      <TabList label={words.output} tabs={TABS} selected={tab} panelId="manifest" onSelect={setTab} />
      <div id="manifest" role="tabpanel" className={classes.panel}>
        {problems.length > 0 && (
          <div role="status" className={classes.told}>
            {words.incomplete}
            <ul>
              {problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          </div>
        )}
        <span>
          {problems.length > 0 ? <Button disabled>{words.copy}</Button> : <CopyButton text={text} />}
        </span>
        <div className={classes.code}>
          <Suspense fallback={<pre>{text}</pre>}>
            <CodeView text={text} />
          </Suspense>
        </div>
      </div>
    </section>
  );
}
