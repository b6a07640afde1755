/**
 * A chart's values as a form made from the chart's own schema, and beside it what installs it. Everything is shown while
 * it is typed; what is copied is whole. Without the schema there are the fields that every chart has.
 */
import { useMemo, type ReactNode } from 'react';
import { FormProvider, useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { useQuery } from '../../../data/queries/use-query.ts';
import type { IntegrationChart } from '../../../contract/http/integration-chart.ts';
import { CHART_FACTS, GITOPS_DEFAULTS, type ChartKey } from '../../../domain/integration/charts.ts';
import { chartFormSchema } from '../../../domain/integration/chart-schema.ts';
import { isInterval, isObjectName } from '../../../domain/integration/manifests.ts';
import { formatInstant } from '../../../domain/time/format.ts';
import { parseYamlObject, problemsByPath, schemaOf } from '../../../ui/code/yaml-lint.ts';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { FieldColumns } from '../../../ui/form/FormShell.tsx';
import { zodResolver } from '../../../ui/form/zod-resolver.ts';
import { SpecInput } from '../resources/SpecInput.tsx';
import classes from './integrations.module.css';
import { Manifest } from './Manifest.tsx';
import { messages } from './messages.ts';

const words = messages.gitops;

const valuesSchema = z.object({
  namespace: z.string().trim().min(1, words.required).refine(isObjectName, words.badNamespace),
  interval: z.string().trim().min(1, words.required).refine(isInterval, words.badInterval),
  spec: z.string(),
});
type Values = z.input<typeof valuesSchema>;

/** What keeps it from being installed, each with its field. */
function problemsOf(values: Values, validator: z.ZodType | null): string[] {
  const own = valuesSchema.safeParse(values).error?.issues ?? [];
  const parsed = parseYamlObject(values.spec);
  const inValues = parsed.ok
    ? [...problemsByPath(values.spec, validator)].map(([field, message]) => words.problem(field, message))
    : [words.problem(words.values, parsed.message)];
  return [...own.map(({ path, message }) => words.problem(path.join('.'), message)), ...inValues];
}

function Told({ chart }: { chart: IntegrationChart }): ReactNode {
  if (chart.problem === null) return null;
  const { schema, readAt, problem } = chart;
  return (
    <p role="status" className={classes.told}>
      {schema === null || readAt === null
        ? words.noSchema(problem)
        : words.kept(formatInstant(Date.parse(readAt)), problem)}
    </p>
  );
}

function Form({ chart }: { chart: IntegrationChart }) {
  const form = useForm<Values>({
    resolver: zodResolver(valuesSchema),
    mode: 'onChange',
    defaultValues: { ...GITOPS_DEFAULTS, spec: '' },
  });
  const values = useWatch({ control: form.control, compute: (all: Values) => all });
  const schema = useMemo(
    () => (chart.schema === null ? null : chartFormSchema(chart.schema)),
    [chart.schema],
  );
  const validator = useMemo(() => schemaOf(schema), [schema]);
  const problems = problemsOf(values, validator);
  const parsed = parseYamlObject(values.spec);
  const name = chart.name ?? CHART_FACTS[chart.chart].name;
  return (
    <FormProvider {...form}>
      <div className={classes.gitops} data-unsaved={form.formState.isDirty ? 'form' : undefined}>
        <div className={classes.fields}>
          <p className={classes.chart}>
            {words.chart(name, chart.version)}
            {chart.description !== null && <span>{chart.description}</span>}
          </p>
          <Told chart={chart} />
          <FieldColumns>
            <TextInput name="namespace" label={words.namespace} isRequired />
            <TextInput name="interval" label={words.interval} hint={words.intervalHint} isRequired />
          </FieldColumns>
          <SpecInput
            kind={null}
            schema={schema}
            label={words.values}
            first="form"
            isDisabled={false}
            onWhole={() => undefined}
          />
        </div>
        <Manifest
          installation={{
            chart: name,
            namespace: values.namespace.trim(),
            interval: values.interval.trim(),
            values: parsed.ok ? parsed.value : {},
          }}
          valuesText={values.spec}
          problems={problems}
        />
      </div>
    </FormProvider>
  );
}

const unread = (chart: ChartKey, problem: string): IntegrationChart => ({
  chart,
  name: null,
  version: null,
  description: null,
  schema: null,
  readAt: null,
  problem,
});

/** See the head of this file. */
export function GitOpsForm({ chart }: { chart: ChartKey }) {
  const { kept, error } = useQuery('integration-chart', { chart });
  // Fields that come anew from the registry change the form, not what somebody has typed into it.
  if (kept !== null) return <Form chart={kept.value} />;
  if (error !== null) return <Form chart={unread(chart, messages.errorText(error))} />;
  return <SkeletonRows text={words.reading} />;
}
