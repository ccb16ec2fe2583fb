import { decodesToBytes } from '../checksums.ts';
import type { SecretRule } from '../rule.ts';
import { sample, sampleBase64 } from '../sample.ts';
import { tokenRule, vendorRule } from './provider-rule.ts';

const portal = (place: string) => `Azure portal: ${place}`;

/**
 * Azure's newer keys contain four characters at a fixed position that identify the service (documented for secret
 * scanners).
 */
function annotated(id: string, name: string, shapes: string, mark: string, can: string, place: string): SecretRule {
  return tokenRule({
    id,
    name,
    severity: 'critical',
    can,
    revoke: portal(place),
    keywords: [mark.toLowerCase()],
    shapes,
    strict: true,
  });
}

const signature = () => encodeURIComponent(sampleBase64(32, 'sas'));

export const azureRules: SecretRule[] = [
  vendorRule({
    id: 'azure-storage-account-key',
    name: 'Azure storage or Cosmos DB account key',
    severity: 'critical',
    can: 'read, change and delete everything in the storage account or database',
    revoke: portal('the storage account, Access keys (rotate)'),
    references: ['https://learn.microsoft.com/azure/storage/common/storage-account-keys-manage'],
    vendor: ['accountkey', 'account_key', 'account-key', 'azure', 'storage', 'cosmos', 'documentdb', 'batch'],
    names: ['key', 'secret', 'token', 'password'],
    shapes: '{b64:86}==',
    minEntropy: 4.5,
    verify: decodesToBytes(64),
    sample: () => sampleBase64(64, 'storage'),
  }),
  annotated(
    'azure-container-registry-key',
    'Azure container registry key',
    '{b64:42}+ACR{b64:6}',
    '+acr',
    'pull and push the registry’s images',
    'the registry, Access keys',
  ),
  annotated(
    'azure-ai-services-key',
    'Azure OpenAI or AI services key',
    '{alnum:52}JQQJ99{alnum:14}AAA{alnum:9}',
    'jqqj99',
    'call the models at the owner’s cost',
    'the resource, Keys and Endpoint',
  ),
  annotated(
    'azure-search-admin-key',
    'Azure AI Search key',
    '{alnum:42}AzSe{alnum:6}',
    'azse',
    'read and change the search indexes',
    'the search service, Keys',
  ),
  annotated(
    'azure-function-key',
    'Azure Functions key',
    '{url:44}AzFu{url:6}==',
    'azfu',
    'call the functions, with the master key also change the app',
    'the function app, App keys',
  ),
  annotated(
    'azure-event-hub-key',
    'Azure Event Hubs key',
    '{b64:33}+AEh{b64:6}=',
    '+aeh',
    'read and send the namespace’s events',
    'the namespace, Shared access policies',
  ),
  annotated(
    'azure-service-bus-key',
    'Azure Service Bus key',
    '{b64:33}+ASb{b64:6}=',
    '+asb',
    'read and send the namespace’s messages',
    'the namespace, Shared access policies',
  ),
  annotated(
    'azure-relay-key',
    'Azure Relay key',
    '{b64:33}+ARm{b64:6}=',
    '+arm',
    'listen and send through the relay',
    'the namespace, Shared access policies',
  ),
  annotated(
    'azure-iot-hub-key',
    'Azure IoT Hub key',
    '{b64:33}AIoT{b64:6}=',
    'aiot',
    'impersonate devices or the service',
    'the IoT hub, Shared access policies',
  ),
  annotated(
    'azure-redis-key',
    'Azure Cache for Redis key',
    '{alnum:33}AzCa{alnum:6}=',
    'azca',
    'read and change everything in the cache',
    'the cache, Access keys',
  ),
  tokenRule({
    id: 'azure-annotated-key',
    name: 'Azure service key',
    severity: 'critical',
    can: 'use the Azure service that issued it (OpenAI, Cognitive Services, API Management and others)',
    revoke: portal('the resource, Keys'),
    keywords: ['jqqj99'],
    shapes: '{alnum:52}JQQJ99{alnum:26}',
    verify: (secret) => !secret.includes('AZDO'),
  }),
  tokenRule({
    id: 'azure-ad-client-secret',
    name: 'Microsoft Entra (Azure AD) client secret',
    severity: 'critical',
    can: 'sign in as the application with all its permissions',
    revoke: portal('Microsoft Entra ID, App registrations, Certificates and secrets'),
    keywords: ['0q~', '1q~', '2q~', '3q~', '4q~', '5q~', '6q~', '7q~', '8q~', '9q~'],
    shapes: '{tilde:3}{digit:1}Q~{tilde:31-34}',
  }),
  {
    ...tokenRule({
      id: 'azure-sas-token',
      name: 'Azure shared access signature',
      severity: 'high',
      can: 'do what the signature permits in the storage account until it expires',
      revoke: portal('the storage account, Access keys (rotating the key ends its signatures)'),
      keywords: ['sig='],
      shapes: '{b64:43}=',
    }),
    accept: () => true,
    pattern:
      '(?:[?&;]|\\bs[a-z]{1,2}=[^\\s"\'<>&]{1,80}&)(?:amp;)?sig=(?<secret>(?:[0-9A-Za-z+/]|%2[BbFf]){43}(?:=|%3[Dd]))',
    minEntropy: 4,
    get matches() {
      const query = `sv=2024-11-04&ss=b&srt=sco&sp=rl&se=2030-01-01T00:00:00Z&spr=https&sig=${signature()}`;
      return [
        `https://shop.blob.core.windows.net/backup?${query}\n`,
        `AZURE_SAS="?${query}"\n`,
        `<uri>https://shop.queue.core.windows.net/?${query.replaceAll('&', '&amp;')}</uri>\n`,
        `SharedAccessSignature sr=shop.azure-devices.net&sig=${signature()}&se=1893456000&skn=owner\n`,
      ];
    },
    get misses() {
      return [
        '?sv=2024-11-04&sig=REDACTED',
        `?sig=${sample('0-9A-Za-z', 30)}`,
        `sig=${'x'.repeat(43)}=`,
        `design=${signature()}`,
      ];
    },
  },
  vendorRule({
    id: 'azure-shared-access-key',
    name: 'Azure shared access key',
    severity: 'critical',
    can: 'send and receive messages of the namespace, hub or device',
    revoke: portal('the namespace, Shared access policies'),
    vendor: [
      'sharedaccesskey',
      'shared_access_key',
      'servicebus',
      'service_bus',
      'eventhub',
      'event_hub',
      'iothub',
      'iot_hub',
      'notificationhub',
    ],
    names: ['key', 'secret', 'token'],
    shapes: '{b64:43}=',
    minEntropy: 4,
    verify: decodesToBytes(32),
    sample: () => sampleBase64(32, 'bus'),
  }),
  vendorRule({
    id: 'azure-subscription-key',
    name: 'Azure Cognitive Services or API Management key',
    severity: 'high',
    can: 'use the service at the subscription’s expense',
    revoke: portal('the resource, Keys and endpoint'),
    vendor: ['azure', 'cognitive', 'ocp-apim-subscription', 'ocp_apim_subscription', 'luis_', 'bing_'],
    names: ['key', 'secret', 'password'],
    shapes: ['{hex:32}', '{HEX:32}'],
  }),
  vendorRule({
    id: 'azure-ad-legacy-client-secret',
    name: 'Azure AD client secret (old form)',
    severity: 'critical',
    can: 'sign in as the application with all its permissions',
    revoke: portal('Microsoft Entra ID, App registrations, Certificates and secrets'),
    vendor: ['azure', 'arm_', 'aad_', 'aad.', 'msal', 'entra'],
    names: ['client_secret', 'clientsecret', 'client-secret', 'client.secret'],
    shapes: ['{b64:43}=', '{url:34}', '{uuid}'],
    minEntropy: 3.3,
    sample: () => sampleBase64(32, 'entra'),
  }),
];
