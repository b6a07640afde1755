import { useState } from 'react';
import type { JobRow } from '../../../contract/http/table-views.ts';
import { jobDetails, type JobDetails } from '../../../domain/job/job.ts';
import { CopyButton } from '../../../ui/feedback/CopyButton.tsx';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { TabList } from '../../../ui/page/TabList.tsx';
import { yamlText } from '../../../ui/code/yaml-text.ts';
import classes from '../settings.module.css';
import { messages } from './messages.ts';

const words = messages.detailTabs;
type Tab = keyof typeof words;

function textOf(details: JobDetails, tab: Tab): string {
  if (tab === 'errors') return details.errors.join('\n');
  return yamlText(tab === 'scrape' ? details.scrapeSummary : details.summary);
}

/** What a run said: its errors first, else what it did (spec 2 §2). */
export function JobDetailsDialog({ job, onClose }: { job: JobRow; onClose: () => void }) {
  const details = jobDetails(job.details);
  const tabs = (['errors', 'scrape', 'summary'] as const).filter(
    (tab) => details !== null && textOf(details, tab) !== '',
  );
  const [tab, setTab] = useState<Tab>(tabs[0] ?? 'errors');
  if (details === null) return null;
  const text = textOf(details, tab);
  return (
    <Modal title={messages.details(job.name ?? job.id)} size="medium" onClose={onClose}>
      <TabList
        label={messages.detailLabel}
        tabs={tabs.map((key) => ({ key, text: words[key] }))}
        selected={tab}
        panelId="job-details"
        onSelect={setTab}
      />
      <div id="job-details" role="tabpanel" className={classes.panel}>
        <pre className={classes.pre} tabIndex={0}>
          {text}
        </pre>
        <CopyButton text={text} />
      </div>
    </Modal>
  );
}
