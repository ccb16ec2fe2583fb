import type { SecretRule } from '../rule.ts';
import { tokenRule, vendorRule } from './provider-rule.ts';

const rows = 'read and change everything in the database';
const manage = 'create, change and delete the account’s databases';

/** Hosted search, vector databases and queues. */
export const searchRules: SecretRule[] = [
  vendorRule({
    id: 'confluent-access-token',
    name: 'Confluent Cloud API key',
    severity: 'medium',
    can: 'produce and consume, together with the secret beside it',
    revoke: 'Confluent Cloud: API keys',
    vendor: ['confluent', 'ccloud'],
    names: ['api_key', 'apikey', 'key', 'access', 'token'],
    shapes: '{upper:16}',
    minEntropy: 3,
  }),
  vendorRule({
    id: 'confluent-secret-key',
    name: 'Confluent Cloud API secret',
    severity: 'critical',
    can: 'produce and consume in the cluster',
    revoke: 'Confluent Cloud: API keys',
    vendor: ['confluent', 'ccloud', 'kafka', 'schema_registry'],
    names: ['secret', 'password', 'key', 'token'],
    shapes: ['{b64:64}', 'cflt{b64:60}'],
    minEntropy: 4.3,
  }),
  tokenRule({
    id: 'elastic-cloud-api-key',
    name: 'Elastic Cloud API key',
    severity: 'critical',
    can: manage,
    revoke: 'Elastic Cloud: API keys',
    shapes: 'essu_{b64:60-200}{pad}',
  }),
  vendorRule({
    id: 'elasticsearch-api-key',
    name: 'Elasticsearch API key',
    severity: 'high',
    can: 'read and change the indexes that the key permits',
    revoke: 'Kibana: Stack management, API keys',
    vendor: ['elasticsearch', 'elastic_', 'elastic-', 'elastic.', 'kibana'],
    names: ['api_key', 'apikey', 'api-key', 'api.key', 'token', 'secret'],
    shapes: '{b64:58}==',
    minEntropy: 4.2,
  }),
  vendorRule({
    id: 'influxdb-token',
    name: 'InfluxDB token',
    severity: 'critical',
    can: rows,
    revoke: 'InfluxDB: Load data, API tokens',
    vendor: ['influx', 'docker_influxdb_init_admin'],
    names: ['token', 'key', 'auth', 'secret'],
    shapes: '{url:86}==',
    minEntropy: 4.5,
  }),
  vendorRule({
    id: 'algolia-api-key',
    name: 'Algolia admin API key',
    severity: 'high',
    can: 'read and change the application’s indexes',
    revoke: 'Algolia: Settings, API keys',
    vendor: ['algolia', 'docsearch'],
    shapes: '{hex:32}',
  }),
  tokenRule({
    id: 'pinecone-api-key',
    name: 'Pinecone API key',
    severity: 'high',
    can: 'read and change the project’s indexes',
    revoke: 'Pinecone: API keys',
    shapes: ['pcsk_{alnum:5}_{alnum:63}', 'pcsk_{alnum:6}_{alnum:63}'],
  }),
  vendorRule({
    id: 'pinecone-legacy-api-key',
    name: 'Pinecone API key (old form)',
    severity: 'high',
    can: 'read and change the project’s indexes',
    revoke: 'Pinecone: API keys',
    vendor: ['pinecone'],
    shapes: '{uuid}',
  }),
];
