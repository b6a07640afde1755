/** The real client of a cluster over the guarded transport: every call is judged, bounded, and signed in as the kubeconfig says. */
import type { RequestContext } from '@kubernetes/client-node';
import type { AppError } from '../../../../../src/contract/errors.ts';
import type { EgressResponse } from '../../../../platform/egress/egress-http.ts';
import { callService, refusalOf } from '../services/service-call.ts';
import type { CallContext } from '../services/service-call.ts';
import type { Cluster } from './kube-config.ts';

/** What is said of an answer that is none of the good ones; the client's own error repeats the whole answer. */
export type Refusal = (path: string, answer: EgressResponse) => AppError;

const plainRefusal: Refusal = (path, { statusCode }) => refusalOf(path, statusCode);

/** The library, and what its APIs are made with. */
export async function openKubeClient(
  cluster: Cluster,
  context: CallContext,
  refusal: Refusal = plainRefusal,
) {
  const kube = await import('@kubernetes/client-node');
  const httpApi = kube.wrapHttpLibrary({
    send: async (request: RequestContext) => {
      const url = new URL(request.getUrl());
      const given: unknown = request.getBody();
      const answer = await callService(context, {
        method: request.getHttpMethod(),
        url,
        headers: { ...request.getHeaders(), ...cluster.headers },
        body: typeof given === 'string' ? given : null,
        tls: cluster.tls,
      });
      if (answer.statusCode > 299) throw refusal(url.pathname, answer);
      const body = { text: async () => answer.body.toString('utf8'), binary: async () => answer.body };
      return new kube.ResponseContext(answer.statusCode, answer.headers, body);
    },
  });
  const baseServer = new kube.ServerConfiguration(cluster.server, {});
  const configuration = kube.createConfiguration({ baseServer, httpApi, authMethods: {} });
  return { kube, configuration };
}
