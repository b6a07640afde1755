/** The kinds of log backends, by the field of a specification that names them. */
import { LOG_BACKEND_KINDS } from '../../../src/contract/specs/log-backend-spec.ts';
import type { LogBackendKindName, LogBackendSpec } from '../../../src/contract/specs/log-backend-spec.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { cloudwatchBackend } from './cloudwatch-backend.ts';
import { elasticsearchBackend, opensearchBackend } from './elastic-backend.ts';
import { fileBackend } from './file-backend.ts';
import { gcpBackend } from './gcp-backend.ts';
import { kubernetesBackend } from './kubernetes-backend.ts';
import type { BackendAnswer, BackendContext, LogQuestion } from './log-backend.ts';
import { lokiBackend } from './loki-backend.ts';
import { sqlBackend } from './sql-backend.ts';

type Read = (
  spec: LogBackendSpec,
  question: LogQuestion,
  context: BackendContext,
) => Promise<BackendAnswer> | null;

/** Each reads its own field; null where the specification is of another kind. */
const READERS: Readonly<Record<LogBackendKindName, Read>> = {
  file: ({ file }, ...rest) => (file === undefined ? null : fileBackend.read(file, ...rest)),
  sql: ({ sql }, ...rest) => (sql === undefined ? null : sqlBackend.read(sql, ...rest)),
  loki: ({ loki }, ...rest) => (loki === undefined ? null : lokiBackend.read(loki, ...rest)),
  elasticsearch: ({ elasticsearch: spec }, ...rest) =>
    spec === undefined ? null : elasticsearchBackend.read(spec, ...rest),
  opensearch: ({ opensearch: spec }, ...rest) =>
    spec === undefined ? null : opensearchBackend.read(spec, ...rest),
  kubernetes: ({ kubernetes: spec }, ...rest) =>
    spec === undefined ? null : kubernetesBackend.read(spec, ...rest),
  cloudwatch: ({ cloudwatch: spec }, ...rest) =>
    spec === undefined ? null : cloudwatchBackend.read(spec, ...rest),
  gcp: ({ gcp: spec }, ...rest) => (spec === undefined ? null : gcpBackend.read(spec, ...rest)),
};

/** Asks the place that the specification names. Throws an AppError with one sentence. */
export async function readBackend(
  spec: LogBackendSpec,
  question: LogQuestion,
  context: BackendContext,
): Promise<BackendAnswer> {
  for (const kind of LOG_BACKEND_KINDS) {
    const found = READERS[kind](spec, question, context);
    if (found !== null) return found;
  }
  throw new AppError('invalid', 'the backend names no place where logs are');
}
