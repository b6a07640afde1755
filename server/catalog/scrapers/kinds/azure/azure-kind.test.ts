/** The management API and the sign-in of Azure, played on this machine for the real clients. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeTestCertificate } from '../../../../health/testing/test-certificate.ts';
import { startLocalServer } from '../../testing/local-server.ts';
import type { Answered, Asked, LocalServer } from '../../testing/local-server.ts';
import { scrapeSetting } from '../../testing/scrape-setting.ts';
import { azureKind } from './azure-kind.ts';

const SUB = '/subscriptions/sub-1';
const resource = (type: string, name: string, provisioningState: string) => ({
  id: `${SUB}/resourceGroups/Shop/providers/${type}/${name}`,
  name,
  type,
  location: 'westeurope',
  tags: { team: 'shop' },
  createdTime: '2024-01-01T00:00:00Z',
  provisioningState,
});
const activity = (id: string, operation: string, status: string) => ({
  eventDataId: id,
  operationName: { value: operation, localizedValue: 'Create or Update VM' },
  resourceType: { value: 'Microsoft.Compute/virtualMachines' },
  resourceId: `${SUB}/resourceGroups/SHOP/providers/Microsoft.Compute/virtualMachines/web`,
  status: { value: status },
  level: 'Informational',
  caller: 'ann@example.com',
  eventTimestamp: '2026-08-21T05:00:00Z',
});
let broken: Record<string, number> = {};
let azure: LocalServer;

function signIn(url: URL): Answered | null {
  if (url.pathname.endsWith('/openid-configuration'))
    return {
      body: {
        issuer: `${url.origin}/tenant-1/v2.0`,
        token_endpoint: `${url.origin}/tenant-1/oauth2/v2.0/token`,
        authorization_endpoint: `${url.origin}/tenant-1/oauth2/v2.0/authorize`,
        jwks_uri: `${url.origin}/keys`,
      },
    };
  if (url.pathname.endsWith('/oauth2/v2.0/token'))
    return { body: { token_type: 'Bearer', expires_in: 3600, access_token: 'the-token' } };
  return null;
}

function answer(asked: Asked): Answered {
  const { url } = asked;
  const path = url.pathname.toLowerCase();
  const given = signIn(url);
  if (given !== null) return given;
  if (asked.headers['authorization'] !== 'Bearer the-token') return { status: 401, body: {} };
  if (broken[path] !== undefined)
    return { status: broken[path], body: { error: { code: 'Denied', message: 'no' } } };
  if (path === `${SUB}/resources`)
    return url.searchParams.has('$skiptoken')
      ? { body: { value: [resource('Microsoft.Storage/storageAccounts', 'files', 'Failed')] } }
      : {
          body: {
            value: [resource('Microsoft.Compute/virtualMachines', 'web', 'Succeeded')],
            nextLink: `${azure.url}${SUB}/resources?$skiptoken=2`,
          },
        };
  if (path === `${SUB}/resourcegroups`)
    return {
      body: {
        value: [
          {
            id: `${SUB}/resourceGroups/Shop`,
            name: 'Shop',
            location: 'westeurope',
            properties: { provisioningState: 'Succeeded' },
          },
        ],
      },
    };
  if (path.includes('/eventtypes/management/values'))
    return {
      body: {
        value: [
          activity('1', 'Microsoft.Compute/virtualMachines/write', 'Started'),
          activity('2', 'Microsoft.Compute/virtualMachines/write', 'Failed'),
          activity('3', 'Microsoft.Compute/virtualMachines/restart/action', 'Succeeded'),
        ],
      },
    };
  return { status: 404, body: {} };
}

const context = scrapeSetting({
  connection: async () => ({
    type: 'azure',
    url: azure.url,
    username: 'client-1',
    password: 'a secret',
    certificate: '',
    insecureTls: true,
    properties: { tenant: 'tenant-1', authorityHost: azure.url },
  }),
});
beforeAll(async () => {
  azure = await startLocalServer(answer, await makeTestCertificate(2));
});
beforeEach(() => {
  broken = {};
});
afterAll(async () => {
  await azure.close();
  await context.expressions.close();
});
const entry = {
  connection: 'connection://azure',
  subscriptionID: 'sub-1',
  exclusions: { activityLogs: ['*/restart/action'] },
};
const scrape = () => azureKind.scrape(entry, context);

test('the subscription, its groups and their resources are items, page by page', async () => {
  const { documents, errors, isComplete } = await scrape();
  expect({ errors, isComplete }).toEqual({ errors: [], isComplete: true });
  expect(documents.map(({ known }) => [known.type, known.name, known.health, known.status])).toEqual([
    ['Azure::Subscription', 'sub-1', undefined, undefined],
    ['Azure::ResourceGroup', 'Shop', 'healthy', 'Succeeded'],
    ['Azure::Compute/virtualMachines', 'web', 'healthy', 'Succeeded'],
    ['Azure::Storage/storageAccounts', 'files', 'unhealthy', 'Failed'],
  ]);
  expect(documents[2]?.known).toMatchObject({
    externalIds: ['/subscriptions/sub-1/resourcegroups/shop/providers/microsoft.compute/virtualmachines/web'],
    labels: { team: 'shop' },
    tags: { subscription: 'sub-1', region: 'westeurope' },
    parents: [
      { type: 'Azure::ResourceGroup', externalId: '/subscriptions/sub-1/resourcegroups/shop' },
      { type: 'Azure::Subscription', externalId: '/subscriptions/sub-1' },
    ],
  });
});

test('the activity log is changes of the resources, without what began and what is excluded', async () => {
  const { changes } = await scrape();
  expect(changes).toHaveLength(1);
  expect(changes[0]).toMatchObject({
    about: {
      type: 'Azure::Compute/virtualMachines',
      externalId: '/subscriptions/sub-1/resourcegroups/shop/providers/microsoft.compute/virtualmachines/web',
    },
    externalChangeId: '2',
    changeType: 'virtualMachines/write',
    severity: 'high',
    createdBy: 'ann@example.com',
  });
});

test('a list that is refused is told, and nothing counts as gone', async () => {
  broken = { [`${SUB}/resourcegroups`]: 403 };
  const out = await scrape();
  expect(out.isComplete).toBe(false);
  expect(out.errors[0]).toContain('resource groups');
  expect(out.documents).toHaveLength(3);
});

test('missing credentials are named, and a closed address is not called', async () => {
  await expect(azureKind.scrape({ subscriptionID: 'sub-1', tenantID: 't' }, context)).rejects.toThrow(
    'clientID, clientSecret missing',
  );
  await expect(azureKind.scrape(entry, { ...context, trust: 'user' })).rejects.toThrow('not allowed');
});
