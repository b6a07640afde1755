/** The parameters of a run as a form, what confirms a dangerous one, and what starts it. */
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { nameToType } from '../../../domain/playbook/danger.ts';
import { hasTemplate, sentValues, startValue } from '../../../domain/playbook/parameters.ts';
import type { ResourceName, RunAsked } from '../../../domain/playbook/run-asked.ts';
import { useDevice } from '../../../ui/Device.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { FormShell } from '../../../ui/form/FormShell.tsx';
import { ResourceName as AgentName } from '../PersonName.tsx';
import { DryRunButton } from './DryRun.tsx';
import { messages } from './messages.ts';
import { runResolver, type RunValues } from './parameter-form.ts';
import { ParameterField } from './ParameterField.tsx';
import classes from './start.module.css';
import type { FoundParameters } from './use-parameters.ts';
import { useHealthOf } from './use-health-of.ts';
import { usePrepare, useStart, type Starting } from './use-start.ts';

interface RunFormProps {
  playbook: { id: string; title: string; updatedAt: string | null; isDangerous: boolean };
  resource: ResourceName | null;
  asked: RunAsked;
  found: FoundParameters;
  onClose: () => void;
}

function firstValues({ asked, found }: Pick<RunFormProps, 'asked' | 'found'>): RunValues {
  const { params: given } = asked;
  const values = found.parameters.map((parameter) =>
    // A run that is done again begins with what it had, and not with defaults (spec 1 §4).
    given === undefined ? startValue(parameter, found.isFilled) : (given[parameter.name] ?? ''),
  );
  return { params: values, confirm: '' };
}

function Danger({ name }: { name: string }) {
  return (
    <div className={classes.danger}>
      <p>{messages.dangerous(name)}</p>
      <TextInput name="confirm" label={messages.dangerousLabel(name)} isRequired />
    </div>
  );
}

/** See the head of this file. */
export function RunForm({ playbook, resource, asked, found, onClose }: RunFormProps) {
  const { parameters, isFilled } = found;
  const isReachable = useReachable();
  const device = useDevice();
  // A second press after a lost answer is the same run.
  const [key] = useState(() => asked.preparedId ?? device.newId());
  const subject = resource ?? { id: playbook.id, name: playbook.title };
  const confirmed = playbook.isDangerous && isReachable ? nameToType(subject) : null;
  const form = useForm<RunValues>({
    mode: 'onChange',
    resolver: runResolver(parameters, confirmed),
    defaultValues: firstValues({ asked, found }),
  });
  const { agentId, preparedId = null } = asked;
  const starting: Starting = { playbook, resource, key, agentId, preparedId, onClose };
  const start = useStart(starting);
  const prepare = usePrepare({ ...starting, health: useHealthOf(resource)?.health ?? null, parameters });
  const valuesOf = (values: RunValues) => {
    const { params: before } = asked;
    const sent = sentValues(parameters, values.params, isFilled && before === undefined);
    // What the run before did not have and nobody typed now is the server's to fill.
    const isLeft = ([name, value]: [string, string]) =>
      before !== undefined && value === '' && !Object.hasOwn(before, name);
    return Object.fromEntries(Object.entries(sent).filter((entry) => !isLeft(entry)));
  };
  const send = async (values: RunValues) => {
    const params = valuesOf(values);
    const confirm = confirmed === null ? undefined : values.confirm;
    const refusal = await (isReachable ? start(params, confirm) : prepare(params));
    if (refusal === null) form.reset(values);
    return refusal;
  };
  const { isValid, errors } = form.formState;
  // What was typed wrongly is told at its field and counted below them; what is still empty says nothing itself.
  const isMissing = !isValid && Object.keys(errors).length === 0;
  const isAgain = asked.preparedId !== undefined && !isReachable;
  return (
    <FormShell
      form={form}
      onSend={send}
      submit={isReachable ? messages.run : messages.prepare}
      submitting={isReachable ? messages.running : messages.preparing}
      blocked={isAgain ? messages.stillOffline : isMissing ? messages.missing : null}
      isReady={isValid}
      onCancel={onClose}
      aside={
        isReachable && (
          <DryRunButton
            isReady={isValid || confirmed !== null}
            request={() => ({
              playbookId: playbook.id,
              resource: resource === null ? null : { kind: resource.kind, id: resource.id },
              params: valuesOf(form.getValues()),
              ...(agentId === undefined ? {} : { agentId }),
            })}
          />
        )
      }
    >
      {parameters.length === 0 && <p className={classes.note}>{messages.noParameters}</p>}
      {parameters.map((parameter, at) => (
        <ParameterField
          key={parameter.name}
          name={`params.${at}`}
          playbookId={playbook.id}
          parameter={parameter}
          hint={!isFilled && hasTemplate(parameter) ? messages.byServer : undefined}
        />
      ))}
      {agentId !== undefined && (
        <p className={classes.note}>
          {messages.askedFor} <AgentName id={agentId} />
        </p>
      )}
      {confirmed !== null && <Danger name={confirmed} />}
      {!isReachable && !isAgain && (
        <p role="status" className={classes.warn}>
          {messages.offline}
        </p>
      )}
    </FormShell>
  );
}
