import { HealthMark } from '../../ui/marks/HealthMark.tsx';
import { Page } from '../../ui/page/Page.tsx';
import classes from './help.module.css';
import { messages } from './messages.ts';
import { Shortcuts } from './Shortcuts.tsx';

/** A section that links can point at. */
function Texts({ id, title, texts }: { id: string; title: string; texts: readonly string[] }) {
  return (
    <section id={id} className={classes.section}>
      <h2>{title}</h2>
      <ul className={classes.list}>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </section>
  );
}

/** How to read the screens, which keys there are, and what works without a network. */
export function HelpPage() {
  return (
    <Page title={messages.title}>
      <section className={classes.section}>
        <h2>{messages.marks}</h2>
        <ul className={classes.list}>
          {messages.markTexts.map(({ state, text }) => (
            <li key={state} className={classes.mark}>
              <HealthMark state={state} />
              {text}
            </li>
          ))}
        </ul>
      </section>
      <Texts id="offline" title={messages.offline} texts={messages.offlineTexts} />
      <Texts id="adding" title={messages.adding} texts={messages.addingTexts} />
      <Texts id="catalog" title={messages.catalog} texts={messages.catalogTexts} />
      <Texts id="bulk" title={messages.bulk} texts={messages.bulkTexts} />
      <Texts id="topology" title={messages.topology} texts={messages.topologyTexts} />
      <Texts id="logs" title={messages.logs} texts={messages.logTexts} />
      <Texts id="playbooks" title={messages.playbooks} texts={messages.playbookTexts} />
      <Texts id="notifications" title={messages.notifications} texts={messages.notificationTexts} />
      <Texts id="incidents" title={messages.incidents} texts={messages.incidentTexts} />
      <Texts id="walls" title={messages.walls} texts={messages.wallTexts} />
      <Texts id="tablets" title={messages.tablets} texts={messages.tabletTexts} />
      <Texts id="told" title={messages.told} texts={messages.toldTexts} />
      <section className={classes.section}>
        <h2>{messages.chip}</h2>
        <dl className={classes.chip}>
          {messages.chipTexts.map(({ name, text }) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </section>
      <Texts id="agent" title={messages.agent} texts={messages.agentTexts} />
      <Texts id="kubeconfig" title={messages.kubeconfig} texts={messages.kubeconfigTexts} />
      <section className={classes.section}>
        <h2>{messages.shortcuts}</h2>
        <Shortcuts />
      </section>
    </Page>
  );
}
