/** What installs a chart: objects for Flux, or commands of Helm (spec 2 §2 'Integrations', contract §19.15). */
import { CHART_REPOSITORY } from './charts.ts';

export interface Installation {
  /** Name of the chart, and of its release. */
  chart: string;
  namespace: string;
  /** How often Flux looks. */
  interval: string;
  values: Readonly<Record<string, unknown>>;
}

/** Names of Kubernetes: what else stands there would be another object, or another command. */
export const isObjectName = (text: string): boolean => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text);
/** As Flux takes it: 30m, 1h30m. */
export const isInterval = (text: string): boolean => /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text);

const REPOSITORY = 'flanksource';

/** The objects that Flux installs it by, in the order in which they are needed. */
export function fluxObjects({ chart, namespace, interval, values }: Installation): object[] {
  const hasValues = Object.keys(values).length > 0;
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    {
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind: 'HelmRepository',
      metadata: { name: REPOSITORY, namespace },
      spec: { interval: '5m0s', url: CHART_REPOSITORY },
    },
    {
      apiVersion: 'helm.toolkit.fluxcd.io/v2',
      kind: 'HelmRelease',
      metadata: { name: chart, namespace },
      spec: {
        interval,
        chart: {
          spec: { chart, sourceRef: { kind: 'HelmRepository', name: REPOSITORY, namespace }, interval: '1m' },
        },
        ...(hasValues ? { values } : {}),
      },
    },
  ];
}

/** A word that no line of the text is. */
function endWord(text: string): string {
  const lines = new Set(text.split('\n').map((line) => line.trim()));
  let word = 'EOF';
  while (lines.has(word)) word += '_';
  return word;
}

/** `valuesText`: the values as YAML. They are read from the shell's input as they stand: nothing in them is a command. */
export function helmCommands({ chart, namespace, values }: Installation, valuesText: string): string {
  const install = `helm upgrade --install ${chart} ${REPOSITORY}/${chart} \\\n  --namespace ${namespace} --create-namespace`;
  const word = endWord(valuesText);
  const rest =
    Object.keys(values).length === 0 ? '' : ` \\\n  --values - <<'${word}'\n${valuesText.trimEnd()}\n${word}`;
  return `helm repo add ${REPOSITORY} ${CHART_REPOSITORY}\nhelm repo update\n${install}${rest}\n`;
}
