/** Targets of Prometheus' blackbox exporter: lists of targets (file_sd), or the scrape jobs of a prometheus.yml. */
import { z } from 'zod';
import { parseDuration } from '../check/duration.ts';
import { entryOf, everySeconds, type ImportEntry, type MappedCheck } from './import-entry.ts';

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const groupSchema = z.object({ targets: z.array(text), labels: z.record(z.string(), text).nullish() });
const groupsSchema = z.array(groupSchema).min(1);
const jobSchema = z.looseObject({
  job_name: text.nullish(),
  metrics_path: text.nullish(),
  scrape_interval: text.nullish(),
  params: z.object({ module: z.array(text).nullish() }).nullish(),
  static_configs: z.array(groupSchema).nullish(),
});
const prometheusSchema = z.object({
  global: z.object({ scrape_interval: text.nullish() }).nullish(),
  scrape_configs: z.array(z.unknown()),
});

/** True for a parsed file of either form. */
export const isBlackbox = (value: unknown): boolean =>
  groupsSchema.safeParse(value).success || prometheusSchema.safeParse(value).success;

const HOST_AND_PORT = /^(?:\[[^\]]+\]|[^\s:/]+):\d{1,5}$/;

/** The kind that a module names, else the one that the target looks like. */
function checkOf(target: string, module: string): MappedCheck | string {
  const isUrl = /^https?:\/\//i.test(target);
  const isPlace = HOST_AND_PORT.test(target);
  const notes: string[] = [];
  if (module.startsWith('icmp')) return { kind: 'icmp', check: { endpoint: target }, notes };
  if (module.startsWith('ssh')) return { kind: 'ssh', check: { endpoint: target }, notes };
  if (module.startsWith('dns'))
    return 'What its DNS module asks stands in the exporter’s own file: add the check by hand.';
  if (module.startsWith('http') || (module === '' && isUrl)) {
    const isPost = /post/.test(module);
    return {
      kind: 'http',
      check: { url: isUrl ? target : `http://${target}`, ...(isPost ? { method: 'POST' } : {}) },
      notes,
    };
  }
  if (module.startsWith('grpc'))
    return { kind: 'grpc', check: { endpoint: target, plaintext: /plain/.test(module) }, notes };
  if (isPlace) return { kind: 'tcp', check: { endpoint: target }, notes };
  if (isUrl) return { kind: 'http', check: { url: target }, notes };
  if (/^(tcp|tls)/.test(module)) return 'It has no port.';
  if (module !== '')
    notes.push(`What its module ${module} asks stands in the exporter’s own file: here it is pinged.`);
  return { kind: 'icmp', check: { endpoint: target }, notes };
}

interface Group {
  group: z.output<typeof groupSchema>;
  module: string;
  schedule: string | null;
  job: string | null;
}

function entriesOf({ group, module, schedule, job }: Group): ImportEntry[] {
  const labels = { ...(job === null ? {} : { job }), ...group.labels };
  return group.targets.map((target) => entryOf({ name: target, labels, schedule }, checkOf(target, module)));
}

function scheduleOf(...intervals: (string | null | undefined)[]): string | null {
  const found = intervals.find((one) => one !== null && one !== undefined);
  const ms = found === undefined ? null : parseDuration(found);
  return ms === null ? null : everySeconds(ms / 1000);
}

/** Targets that Prometheus finds by itself, such as `file_sd_configs`: they stand in no file of its own. */
function targetsElsewhere(job: z.output<typeof jobSchema>): ImportEntry[] {
  const ways = Object.keys(job).filter((key) => key.endsWith('_sd_configs'));
  const why = `Its targets are not in this file (${ways.join(', ')}): import the files that name them.`;
  return ways.length === 0 ? [] : [entryOf({ name: job.job_name ?? 'targets', schedule: null }, why)];
}

/** Every target, in their order; jobs that scrape something else than the exporter are left out. */
export function readBlackbox(value: unknown): ImportEntry[] {
  const groups = groupsSchema.safeParse(value);
  if (groups.success)
    return groups.data.flatMap((group) =>
      entriesOf({ group, module: group.labels?.['module'] ?? '', schedule: null, job: null }),
    );
  const { global, scrape_configs: jobs } = prometheusSchema.parse(value);
  return jobs.flatMap((raw) => {
    const job = jobSchema.safeParse(raw);
    if (!job.success || job.data.metrics_path !== '/probe') return [];
    const { params, static_configs: configs, scrape_interval: interval, job_name: name } = job.data;
    const module = params?.module?.[0] ?? '';
    const schedule = scheduleOf(interval, global?.scrape_interval);
    const listed = (configs ?? []).flatMap((group) =>
      entriesOf({ group, module, schedule, job: name ?? null }),
    );
    return [...listed, ...targetsElsewhere(job.data)];
  });
}
