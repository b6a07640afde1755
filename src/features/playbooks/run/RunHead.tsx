import { IconPlayerPlay } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { RunDetail } from '../../../contract/http/playbooks/playbooks.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { links } from '../../../domain/links.ts';
import { formatClock } from '../../../domain/time/format.ts';
import { isRunOver, triggerOf } from '../../../domain/playbook/run.ts';
import { secretNames } from '../../../domain/playbook/secret-parameters.ts';
import { isRemoteAgent } from '../../../domain/settings/resource-source.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { Button } from '../../../ui/actions/Button.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { Age } from '../../../ui/marks/Age.tsx';
import { RunStatus } from '../../../ui/marks/RunStatus.tsx';
import { usePlaybooks } from '../../../ui/page/Playbooks.tsx';
import { definitionOfSpec } from '../definition.ts';
import { messages } from '../messages.ts';
import { PersonName, ResourceName } from '../PersonName.tsx';
import { playbookTitle } from '../playbook-title.ts';
import { resourceOf } from '../resource.ts';
import { RunDuration } from '../runs/RunDuration.tsx';
import { ApprovalPlaces } from './ApprovalPlaces.tsx';
import { ParamsDialog } from './ParamsDialog.tsx';
import classes from './run.module.css';
import { RunDecisions } from './RunDecisions.tsx';
import { useApproval } from './use-approval.ts';

const words = messages.detail;

interface RunHeadProps {
  detail: RunDetail;
  reader: { id: string; roles: readonly string[] };
}

type Run = RunDetail['run'];

/** What a run was given, as texts, without passwords: what is no text was parsed by somebody on its way. */
function textParams({ parameters, playbooks }: Run): Record<string, string> {
  const secret = secretNames(definitionOfSpec(playbooks?.spec ?? {}).parameters);
  const entries = Object.entries(parameters ?? {}).filter(
    ([name, value]) => value !== null && !secret.has(name),
  );
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

function Rerun({ run }: { run: Run }) {
  const { run: open } = usePlaybooks();
  const asksAgent = isRemoteAgent(run.agent_id);
  const agent = useLiveRow('resources', asksAgent ? (run.agent_id ?? '') : '');
  if (open === null) return null;
  const start = () =>
    open({
      playbookId: run.playbook_id,
      resource: resourceOf(run) ?? undefined,
      params: textParams(run),
      // One that is gone nobody could be asked for.
      agentId: asksAgent && agent ? (run.agent_id ?? undefined) : undefined,
    });
  return (
    // While it goes on, something else is to be decided.
    <Button look={isRunOver(run.status) ? 'primary' : 'outline'} onClick={start}>
      <IconPlayerPlay size={15} aria-hidden />
      {words.rerun}
    </Button>
  );
}

function TriggeredBy({ run }: { run: Run }) {
  const trigger = (run.created_by ?? null) === null ? triggerOf(run.request) : null;
  return trigger === null ? <PersonName person={run.created_by} /> : words.triggers(trigger);
}

function useFacts(run: Run): { name: string; value: ReactNode }[] {
  const device = useDevice();
  const resource = resourceOf(run);
  const scheduledAt = run.scheduled_time ?? null;
  const isAhead = scheduledAt !== null && Date.parse(scheduledAt) > device.now();
  return [
    { name: words.status, value: <RunStatus status={run.status} /> },
    ...(resource === null
      ? []
      : [
          {
            name: words.resource,
            value: <AppLink href={resource.href}>{resource.name}</AppLink>,
          },
        ]),
    ...(isRemoteAgent(run.agent_id)
      ? [{ name: words.agent, value: <ResourceName id={run.agent_id ?? ''} /> }]
      : []),
    { name: words.started, value: <Age at={run.start_time ?? null} suffix=" ago" /> },
    ...(isAhead
      ? [{ name: words.scheduled, value: formatClock(Date.parse(scheduledAt), device.now()) }]
      : []),
    { name: words.duration, value: <RunDuration run={run} /> },
    { name: words.queued, value: <Age at={run.created_at ?? null} suffix=" ago" /> },
    { name: words.triggeredBy, value: <TriggeredBy run={run} /> },
  ];
}

/** What a run is, and what can be done with it. */
export function RunHead({ detail, reader }: RunHeadProps) {
  const { run } = detail;
  const asked = useApproval(run);
  const [isShowing, setIsShowing] = useState(false);
  const facts = useFacts(run);
  return (
    <>
      <div className={classes.head}>
        <h1>
          <AppLink href={links.playbook(run.playbook_id)}>
            {run.playbooks === null ? run.playbook_id : playbookTitle(run.playbooks)}
          </AppLink>
        </h1>
        <div className={classes.actions}>
          <Button onClick={() => setIsShowing(true)}>{words.params}</Button>
          <RunDecisions detail={detail} reader={reader} asked={asked} />
          <Rerun run={run} />
        </div>
      </div>
      <dl className={classes.facts}>
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {asked.approval !== null && <ApprovalPlaces approval={asked.approval} />}
      {isShowing && <ParamsDialog run={run} onClose={() => setIsShowing(false)} />}
    </>
  );
}
