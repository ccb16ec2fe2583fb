import { isNotAwsExample, mixesCasesAndDigits } from '../checksums.ts';
import type { SecretRule } from '../rule.ts';
import { sample, samplePem } from '../sample.ts';
import { tokenRule, type VendorSpec, vendorRule } from './provider-rule.ts';

const secretKey = () => sample('0-9A-Za-z+/', 40, 'aws');
const keyId = () => `AKIA${sample('A-Z2-7', 16, 'aws')}`;
const iamConsole = 'AWS: IAM, the user’s Security credentials, Access keys';

/** AWS secret keys have no format except their length: their name or a nearby key id identifies them. */
const awsSecret = {
  name: 'AWS secret access key',
  severity: 'critical',
  can: 'act in the AWS account with every permission of the user or role, together with the key id',
  revoke: iamConsole,
  references: ['https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html'],
  minEntropy: 4,
  verify: mixesCasesAndDigits,
  sample: secretKey,
} satisfies Omit<VendorSpec, 'id' | 'vendor' | 'shapes'>;

const besideKeyId = (secret: string) => [
  `${keyId()}:${secret}\n`,
  `User name,Access key ID,Secret access key\ndeploy,${keyId()},${secret}\n`,
  `new BasicAWSCredentials("${keyId()}", "${secret}")\n`,
  `id: ${keyId()}\nsecret: ${secret}\n`,
];

const secretKeyRules: SecretRule[] = [
  vendorRule({
    ...awsSecret,
    id: 'aws-secret-access-key',
    vendor: [
      'aws',
      'awssecret',
      'awsaccess',
      'amazon',
      's3_',
      's3.',
      'ses_',
      'secretaccesskey',
      'secret_access_key',
      'secret-access-key',
      'secret access key',
    ],
    names: ['secret_access_key', 'secret', 'access_key', 'accesskey', 'access-key', 'aws_key'],
    shapes: '{b64:40}',
    misses: () => ['wJalrXUtnFEMIwJalrXUtnFEMIwJalrXUtnFEMIw', sample('0-9a-f', 40)],
  }),
  {
    ...vendorRule({ ...awsSecret, id: 'aws-secret-beside-key-id', vendor: ['akia'], shapes: '{b64:40}' }),
    accept: ({ secret }) => !secret.includes('EXAMPLE'),
    pattern: `AKIA[A-Z2-7]{16}\\b(?:[^\\n]{0,60}?|[^\\n]{0,40}\\n[^\\n]{0,40}?)["'\`=:>\\s,({|](?<secret>[0-9A-Za-z+/]{40})(?:[^0-9A-Za-z_+/=-]|$)`,
    get matches() {
      return besideKeyId(secretKey());
    },
    get misses() {
      return [...besideKeyId(sample('0-9a-f', 40)), ...besideKeyId(`${secretKey()}a`), ...besideKeyId('$AWS_SECRET')];
    },
  },
];

export const awsRules: SecretRule[] = [
  tokenRule({
    id: 'aws-access-token',
    name: 'AWS access key id',
    severity: 'high',
    can: 'act in the AWS account, together with the secret key that is usually beside it',
    revoke: iamConsole,
    references: ['https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html'],
    shapes: ['AKIA{base32:16}', 'ASIA{base32:16}', 'ABIA{base32:16}', 'ACCA{base32:16}'],
    minEntropy: 3,
    verify: isNotAwsExample,
    strict: true,
    misses: () => [
      'AKIAIOSFODNN7EXAMPLE',
      'AKIAI44QH8DHBEXAMPLE',
      `AKIA${sample('A-Z2-7', 15)}1`,
      `AKIA${sample('0189', 16)}`,
      `${keyId()}Q`,
    ],
  }),
  ...secretKeyRules,
  tokenRule({
    id: 'aws-session-token',
    name: 'AWS session token',
    severity: 'high',
    can: 'act in the AWS account until the session expires, together with its key',
    revoke: 'AWS: IAM, the role’s Revoke sessions',
    keywords: ['iqojb3jpz2lu', 'fwogzxivyxdz', 'fqogzxivyxdz'],
    shapes: ['IQoJb3JpZ2lu{b64:200-1000}{pad}', 'FwoGZXIvYXdz{b64:200-1000}{pad}', 'FQoGZXIvYXdz{b64:200-1000}{pad}'],
  }),
  tokenRule({
    id: 'aws-mws-auth-token',
    name: 'Amazon MWS auth token',
    severity: 'high',
    can: 'read and change the seller’s orders and listings',
    revoke: 'Amazon Seller Central: User permissions, Manage your apps',
    shapes: 'amzn.mws.{uuid}',
  }),
  tokenRule({
    id: 'aws-appsync-api-key',
    name: 'AWS AppSync API key',
    severity: 'medium',
    can: 'query and change what the GraphQL API exposes to its keys',
    revoke: 'AWS: AppSync, the API’s Settings',
    shapes: 'da2-{lower:26}',
  }),
  tokenRule({
    id: 'aws-amazon-bedrock-api-key-long-lived',
    name: 'Amazon Bedrock API key',
    severity: 'high',
    can: 'use models at the account’s expense',
    revoke: 'AWS: Bedrock, API keys',
    shapes: 'ABSK{b64:109-269}{pad}',
    strict: true,
  }),
  tokenRule({
    id: 'aws-amazon-bedrock-api-key-short-lived',
    name: 'Amazon Bedrock API key (short-lived)',
    severity: 'medium',
    can: 'use models at the account’s expense for some hours',
    revoke: 'AWS: Bedrock, API keys',
    shapes: 'bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t{b64:50-1000}{pad}',
  }),
  tokenRule({
    id: 'amazon-oauth-client-secret',
    name: 'Login with Amazon client secret',
    severity: 'high',
    can: 'impersonate the application towards Amazon',
    revoke: 'Amazon Developer: Login with Amazon, Security profile',
    shapes: 'amzn1.oa2-cs.v1.{hex:64}',
  }),
];

const serviceAccount = () =>
  JSON.stringify(
    {
      type: 'service_account',
      project_id: 'shop',
      private_key_id: sample('0-9a-f', 40),
      private_key: `${samplePem('PRIVATE KEY', 1200)}\n`,
    },
    null,
    2,
  );

export const googleRules: SecretRule[] = [
  tokenRule({
    id: 'gcp-api-key',
    name: 'Google API key',
    severity: 'high',
    can: 'use the project’s Google APIs at its expense, as far as the key is not restricted',
    revoke: 'Google Cloud: APIs and services, Credentials',
    references: ['https://cloud.google.com/docs/authentication/api-keys'],
    shapes: 'AIza{url:35}',
    minEntropy: 3.8,
  }),
  {
    id: 'gcp-service-account',
    name: 'Google Cloud service account key',
    severity: 'critical',
    risk: 'Anyone who has it can act in Google Cloud with every permission of the service account.',
    remediation:
      'Delete the key in Google Cloud: IAM and admin, Service accounts, Keys; prefer workload identity over a new one. Then check the audit log for use by others.',
    references: ['https://cloud.google.com/iam/docs/keys-create-delete'],
    keywords: ['service_account'],
    pattern:
      '"type"\\s{0,10}:\\s{0,10}"service_account"[^}]{0,400}?"private_key"\\s{0,10}:\\s{0,10}"(?<secret>-----BEGIN (?:RSA )?PRIVATE KEY-----\\\\n[0-9A-Za-z+/=\\\\]{300,}-----END (?:RSA )?PRIVATE KEY-----)',
    minEntropy: 4.5,
    get matches() {
      return [serviceAccount(), `GOOGLE_CREDENTIALS='${JSON.stringify(JSON.parse(serviceAccount()))}'\n`];
    },
    get misses() {
      const short =
        '{"type": "service_account", "private_key": "-----BEGIN PRIVATE KEY-----\\nMIIE...\\n-----END PRIVATE KEY-----\\n"}';
      return [short, '{"type": "service_account", "private_key": "${PRIVATE_KEY}"}'];
    },
  },
  tokenRule({
    id: 'gcp-oauth-client-secret',
    name: 'Google OAuth client secret',
    severity: 'high',
    can: 'impersonate the application towards Google’s sign-in',
    revoke: 'Google Cloud: APIs and services, Credentials, OAuth 2.0 client',
    shapes: 'GOCSPX-{url:28}',
  }),
  vendorRule({
    id: 'gcp-oauth-legacy-client-secret',
    name: 'Google OAuth client secret (old form)',
    severity: 'high',
    can: 'impersonate the application towards Google’s sign-in',
    revoke: 'Google Cloud: APIs and services, Credentials, OAuth 2.0 client',
    vendor: ['google', 'gmail', 'gdrive', 'youtube'],
    names: ['client_secret', 'clientsecret', 'client-secret', 'client.secret', 'oauth_secret', 'oauth2_secret'],
    shapes: '{url:24}',
    minEntropy: 3.7,
  }),
  tokenRule({
    id: 'gcp-oauth-access-token',
    name: 'Google OAuth access token',
    severity: 'medium',
    can: 'use Google APIs on the owner’s behalf for an hour',
    revoke: 'Google account: Security, Third-party access',
    shapes: 'ya29.{url:30-1000}',
    misses: () => ['ya29.shortened'],
  }),
  tokenRule({
    id: 'gcp-oauth-refresh-token',
    name: 'Google OAuth refresh token',
    severity: 'high',
    can: 'obtain access tokens on the owner’s behalf until access is revoked',
    revoke: 'Google account: Security, Third-party access',
    shapes: '1//0{url:60-120}',
    strict: true,
  }),
  tokenRule({
    id: 'firebase-cloud-messaging-server-key',
    name: 'Firebase Cloud Messaging server key',
    severity: 'high',
    can: 'send push notifications to every user of the app',
    revoke: 'Firebase: Project settings, Cloud Messaging',
    keywords: [':apa91b'],
    shapes: 'AAAA{url:7}:APA91b{url:134}',
  }),
];
