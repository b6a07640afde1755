/** The registry of the kinds of checks that run here (decisions/0045). */
import type { CheckKind } from '../kind/registered-kind.ts';
import { awsConfigKind, awsConfigRuleKind, cloudwatchKind, s3Kind } from './cloud/aws-kinds.ts';
import { kubernetesKind } from './cloud/kubernetes-kind.ts';
import { catalogKind } from './catalog/catalog-kind.ts';
import { kubernetesResourceKind } from './cluster/kubernetes-resource-kind.ts';
import { junitKind } from './cluster/junit-kind.ts';
import { namespaceKind, podKind } from './cluster/pod-kinds.ts';
import { webhookKind } from './inbound/webhook-kind.ts';
import { mongodbKind } from './databases/mongodb-kind.ts';
import { mssqlKind, mysqlKind, postgresKind } from './databases/sql-kinds.ts';
import { redisKind } from './databases/redis-kind.ts';
import { httpKind } from './http/http-check.ts';
import { execKind } from './local/exec-check.ts';
import { folderKind } from './local/folder-check.ts';
import { resticKind } from './local/restic-kind.ts';
import { databaseBackupKind, pubsubKind } from './cloud/google-kinds.ts';
import { alertmanagerKind } from './monitoring/alertmanager-kind.ts';
import { dynatraceKind } from './monitoring/dynatrace-kind.ts';
import { prometheusKind } from './monitoring/prometheus-kind.ts';
import { elasticsearchKind, opensearchKind } from './monitoring/search-kinds.ts';
import { certificateKind } from './network/certificate-kind.ts';
import { dnsKind } from './network/dns-check.ts';
import { grpcKind } from './network/grpc-kind.ts';
import { imapKind, sshKind } from './network/greeting-kinds.ts';
import { icmpKind } from './network/icmp-check.ts';
import { ldapKind } from './network/ldap-kind.ts';
import { ntpKind } from './network/ntp-kind.ts';
import { smtpKind } from './network/smtp-kind.ts';
import { tcpKind } from './network/tcp-check.ts';
import { websocketKind } from './network/websocket-kind.ts';
import { dockerKind } from './registry/docker-kind.ts';
import { helmKind } from './registry/helm-kind.ts';
import { azureDevopsKind } from './source-control/azure-devops-kind.ts';
import { gitProtocolKind } from './source-control/git-protocol-kind.ts';
import { githubKind } from './source-control/github-kind.ts';

/** In the order in which they are shown. */
export const CHECK_KINDS: readonly CheckKind[] = [
  httpKind,
  tcpKind,
  dnsKind,
  icmpKind,
  execKind,
  folderKind,
  postgresKind,
  mysqlKind,
  mssqlKind,
  redisKind,
  mongodbKind,
  elasticsearchKind,
  opensearchKind,
  prometheusKind,
  alertmanagerKind,
  dynatraceKind,
  kubernetesKind,
  kubernetesResourceKind,
  podKind,
  namespaceKind,
  junitKind,
  catalogKind,
  webhookKind,
  dockerKind,
  helmKind,
  gitProtocolKind,
  githubKind,
  azureDevopsKind,
  certificateKind,
  ntpKind,
  grpcKind,
  websocketKind,
  sshKind,
  smtpKind,
  imapKind,
  ldapKind,
  s3Kind,
  cloudwatchKind,
  awsConfigKind,
  awsConfigRuleKind,
  databaseBackupKind,
  pubsubKind,
  resticKind,
];

/** By every key that documents may write. */
const BY_KEY: ReadonlyMap<string, CheckKind> = new Map(
  CHECK_KINDS.flatMap((kind) => [kind.key, ...(kind.aliases ?? [])].map((key) => [key, kind])),
);

/** The kind of that key, or undefined where none runs. */
export const kindOf = (key: string): CheckKind | undefined => BY_KEY.get(key);

/** Every key that runs, with the schema of one entry. */
export const RUNNABLE_KEYS: readonly string[] = [...BY_KEY.keys()];
