/** How the signed-in person is reached: in one line, by device, by choice; and, for who leads a team, its members. */
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import type { Reach, ReachDevice } from '../../contract/http/reach.ts';
import { reachSettingsSchema } from '../../contract/http/reach.ts';
import { nowOnServer } from '../../data/commands/commands.ts';
import { useReach } from '../../data/device/use-reach.ts';
import { useReachable } from '../../data/device/use-reachable.ts';
import { deviceName } from '../../domain/device-name.ts';
import { links } from '../../domain/links.ts';
import { MAIL_CHOICES, reachVerdict, type ReachFacts } from '../../domain/notification/reach.ts';
import { AppLink } from '../../ui/actions/AppLink.tsx';
import { Button } from '../../ui/actions/Button.tsx';
import { useToasts } from '../../ui/feedback/Toasts.tsx';
import { CheckInput, SelectInput, TextInput } from '../../ui/form/fields.tsx';
import { FieldColumns, FormShell } from '../../ui/form/FormShell.tsx';
import { zodResolver } from '../../ui/form/zod-resolver.ts';
import { HealthMark } from '../../ui/marks/HealthMark.tsx';
import { messages as ui } from '../../ui/messages.ts';
import { messages } from './messages.ts';
import classes from './reach.module.css';
import { reachHealth, reachLine } from './reach-line.ts';
import { reachValuesSchema, settingsFrom, valuesOf, type ReachValues } from './reach-values.ts';

const words = messages.form;
type Act = ReturnType<typeof useReach>['act'];

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const MAIL_OPTIONS = MAIL_CHOICES.map((value) => ({ value, label: words.mailChoices[value] }));

function Verdict({ facts }: { facts: ReachFacts }) {
  const nowMs = nowOnServer();
  return (
    <p className={classes.verdict} role="status">
      <HealthMark state={reachHealth(facts, nowMs)} />
      <span>
        <strong>{messages.verdicts[reachVerdict(facts, nowMs)]}</strong>
        <small>{reachLine(facts, nowMs)}</small>
      </span>
    </p>
  );
}

function DeviceLine({ device, act }: { device: ReachDevice; act: Act }) {
  const toasts = useToasts();
  const isReachable = useReachable();
  const [isBusy, setIsBusy] = useState(false);
  const test = async () => {
    setIsBusy(true);
    const error = await act({ do: 'test', deviceId: device.id });
    setIsBusy(false);
    if (error !== null) toasts.error(messages.errorText(error));
  };
  const facts = { devices: 1, seenAt: device.seenAt, test: device.test };
  const settings = { push: true, mail: 'never', quiet: null, urgentPasses: true } as const;
  const line = reachLine({ ...facts, settings, hasAddress: true, hasMail: true }, nowOnServer());
  return (
    <li className={classes.line}>
      <span>
        {deviceName(device.name) ?? messages.unknownDevice}
        <small>{line.split(' · ').slice(1).join(' · ')}</small>
      </span>
      <Button look="quiet" disabled={isBusy || !isReachable} onClick={() => void test()}>
        {isBusy ? messages.testing : messages.test}
      </Button>
    </li>
  );
}

function Devices({ devices, act }: { devices: readonly ReachDevice[]; act: Act }) {
  return (
    <>
      <h3>{messages.devicesTitle}</h3>
      {devices.length === 0 && (
        <p className={classes.hint}>
          {messages.noDevices} <AppLink href={links.inbox()}>{messages.toInbox}</AppLink>
        </p>
      )}
      <ul className={classes.lines}>
        {devices.map((device) => (
          <DeviceLine key={device.id} device={device} act={act} />
        ))}
      </ul>
    </>
  );
}

function QuietFields() {
  return (
    <FieldColumns>
      <TextInput name="start" label={words.start} isRequired placeholder="22:00" />
      <TextInput name="end" label={words.end} isRequired placeholder="07:00" />
      <TextInput name="tz" label={words.tz} isRequired suggestions={Intl.supportedValuesOf('timeZone')} />
    </FieldColumns>
  );
}

function ChoicesForm({ reach, act }: { reach: Reach; act: Act }) {
  const toasts = useToasts();
  const isReachable = useReachable();
  const form = useForm<ReachValues>({
    resolver: zodResolver(reachValuesSchema),
    defaultValues: valuesOf(reach.own.settings, ownZone()),
  });
  const isQuiet = useWatch({ control: form.control, name: 'isQuiet' });
  const send = async (values: ReachValues) => {
    const settings = reachSettingsSchema.parse(settingsFrom(values));
    const error = await act({ do: 'save', settings });
    if (error !== null) return { text: messages.errorText(error), field: null };
    form.reset(values);
    toasts.success(words.saved);
    return null;
  };
  return (
    <FormShell
      form={form}
      onSend={send}
      submit={words.save}
      submitting={words.saving}
      blocked={isReachable ? null : ui.needsServer}
      onCancel={() => form.reset()}
    >
      <CheckInput name="push" label={words.push} />
      <SelectInput name="mail" label={words.mail} options={MAIL_OPTIONS} />
      <CheckInput name="isQuiet" label={words.quiet} hint={words.quietHint} />
      {isQuiet && <QuietFields />}
      {isQuiet && <CheckInput name="urgentPasses" label={words.urgent} hint={words.urgentHint} />}
    </FormShell>
  );
}

function Team({ team }: { team: Reach['teams'][number] }) {
  const nowMs = nowOnServer();
  return (
    <section className={classes.section}>
      <h2>{messages.teams(team.name)}</h2>
      <p className={classes.hint}>{team.people.length === 0 ? messages.nobody : messages.teamHint}</p>
      <ul className={classes.lines}>
        {team.people.map(({ id, name, facts }) => (
          <li key={id} className={classes.line}>
            <HealthMark state={reachHealth(facts, nowMs)} />
            <span className={classes.grow}>
              {name}: {messages.memberVerdicts[reachVerdict(facts, nowMs)]}
              <small>{reachLine(facts, nowMs)}</small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** On the page of the own profile. */
export function ReachSettings() {
  const { reach, error, act } = useReach();
  return (
    <>
      <section className={classes.section} aria-label={messages.title}>
        <h2>{messages.title}</h2>
        {reach === null && error === null && <p role="status">{messages.loading}</p>}
        {error !== null && <p role="alert">{messages.errorText(error)}</p>}
        {reach !== null && (
          <>
            <Verdict facts={reach.own} />
            <Devices devices={reach.devices} act={act} />
            <ChoicesForm reach={reach} act={act} />
          </>
        )}
      </section>
      {reach?.teams.map((team) => (
        <Team key={team.id} team={team} />
      ))}
    </>
  );
}
