import { expect, it } from 'vitest';
import { fieldLabel } from './field-label.ts';

it('names fields as people write them', () => {
  const said = {
    responseContent: 'Response content',
    responseJSONContent: 'Response JSON content',
    skipTLSVerify: 'Skip TLS verify',
    insecure_skip_verify: 'Insecure skip verify',
    scorecardURL: 'Scorecard URL',
    ntlmv2: 'NTLMv2',
    oauth2: 'OAuth2',
    vmware: 'VMware',
    grpc: 'gRPC',
    githubActions: 'GitHub actions',
    clusterName: 'Cluster name',
    disallowedURLFilters: 'Disallowed URL filters',
  };
  expect(Object.fromEntries(Object.keys(said).map((key) => [key, fieldLabel(key)]))).toEqual(said);
});
