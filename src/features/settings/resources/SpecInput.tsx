/** A resource's specification: a form and YAML, two views of one text. */
import { useMemo, useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import type { ResourceKind } from '../../../domain/settings/resource-kinds.ts';
import { schedulesFor } from '../../../domain/settings/schedule-presets.ts';
import { Segmented } from '../../../ui/actions/Segmented.tsx';
import { parseYamlObject } from '../../../ui/code/yaml-lint.ts';
import { DocumentForm, hasDocumentForm } from '../../../ui/document/DocumentForm.tsx';
import { messages as ui } from '../../../ui/document/messages.ts';
import { refusedPlace } from '../../../ui/document/refused-place.ts';
import { CodeInput } from '../../../ui/form/CodeInput.tsx';
import { HTTP_METHODS, RESPONSE_CODES } from './resource-form.ts';
import type { ResourceValues } from './resource-form.ts';
import { messages } from './messages.ts';
import { useConnectionNames } from './use-connection-names.ts';

type View = 'form' | 'yaml';
const VIEWS = (['form', 'yaml'] as const).map((value) => ({ value, label: ui.views[value] }));

interface SpecInputProps {
  /** Null for the values of a chart. */
  kind: ResourceKind | null;
  schema: unknown;
  label?: string;
  first: View;
  isDisabled: boolean;
  onWhole: (text: string) => void;
}

function FormView({ kind, schema, isDisabled }: Pick<SpecInputProps, 'kind' | 'schema' | 'isDisabled'>) {
  const { setValue, formState } = useFormContext<ResourceValues>();
  const text = useWatch<ResourceValues, 'spec'>({ name: 'spec' });
  const connection = useConnectionNames();
  const schedule = useMemo(() => {
    const parsed = parseYamlObject(text);
    return schedulesFor(kind, parsed.ok ? parsed.value : null);
  }, [kind, text]);
  const { type: path, message: error } = formState.errors.spec ?? {};
  const refused = useMemo(
    () => (typeof path === 'string' && error !== undefined ? refusedPlace(path, error) : null),
    [path, error],
  );
  return (
    <>
      <DocumentForm
        text={text}
        schema={schema}
        isDisabled={isDisabled}
        isSent={formState.submitCount > 0}
        refused={refused}
        suggestions={{ connection, schedule, method: HTTP_METHODS, responseCodes: RESPONSE_CODES }}
        onChange={(next) =>
          setValue('spec', next, { shouldDirty: true, shouldValidate: formState.submitCount > 0 })
        }
      />
      {error !== undefined && <p role="alert">{error}</p>}
    </>
  );
}

/** See the head of this file. */
export function SpecInput({
  kind,
  schema,
  label = messages.form.spec,
  first,
  isDisabled,
  onWhole,
}: SpecInputProps) {
  const [view, setView] = useState<View>(first);
  const hasForm = hasDocumentForm(schema);
  return (
    <>
      {hasForm && (
        <span>
          <Segmented label={ui.view} value={view} options={VIEWS} onChange={setView} />
        </span>
      )}
      {hasForm && view === 'form' ? (
        <FormView kind={kind} schema={schema} isDisabled={isDisabled} />
      ) : (
        <CodeInput name="spec" label={label} schema={schema} isDisabled={isDisabled} onWhole={onWhole} />
      )}
    </>
  );
}
