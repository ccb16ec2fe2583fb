import { type InfrastructureRule, rulesOf } from '../rule.ts';
import type { TerraformBlock } from '../terraform.ts';
import { entriesOf, textOf, type Value } from '../value.ts';
import { hasValue, type Must, readExpectation, whatIsWrong } from './expectation.ts';
import { cellsOf, readTypes } from './table.ts';
import { terraformAccessRules } from './terraform-access-rules.ts';
import { terraformAwsDataRules } from './terraform-aws-data-rules.ts';
import { terraformAwsRules } from './terraform-aws-rules.ts';
import { terraformAwsServiceRules } from './terraform-aws-service-rules.ts';
import { namesOn, onBlock, resources } from './terraform-helpers.ts';
import { terraformLinkedRules } from './terraform-linked-rules.ts';
import { terraformNetworkRules } from './terraform-network-rules.ts';
import { terraformPolicyRules } from './terraform-policy-rules.ts';
import { terraformSecretRules } from './terraform-secret-rules.ts';

const rule = rulesOf('cloudformation', [
  'https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-template-resource-type-ref.html',
  'https://cheatsheetseries.owasp.org/cheatsheets/Infrastructure_as_Code_Security_Cheat_Sheet.html',
]);

type Model = InfrastructureRule<'terraform'>;

/** Returns the Terraform check for the same problem, with the same texts and severity. */
function modelOf(models: Model[], id: string): Model {
  const model = models.find((candidate) => candidate.id === `terraform-${id}`);
  if (!model) throw new Error(`There is no check terraform-${id}`);
  return model;
}

const textsOf = ({ title, severity, cwe, knownAs, risk }: Model) => ({ title, severity, cwe, knownAs, risk });

/** Returns a template with one resource. */
const template = (type: string, properties: unknown): string =>
  JSON.stringify({ Resources: { A: { Type: type, Properties: properties } } }, null, 1);

/** The types of resources in the tables below. */
export const tableTypes = new Set<string>();

type Exempt = (block: TerraformBlock, found: TerraformBlock[]) => boolean;

/** A check in one line, as in the Terraform tables: `check of Terraform | types | attribute | what it must be`. */
type RowText = `${string} | ${string} | ${string} | ${Must}`;

/** Builds the rules of a table. `exempt` lists the resources that some rules leave out. */
const cloudFormationTable = (models: Model[], rows: RowText[], exempt: Record<string, Exempt>) =>
  rows.map((row) => {
    const [id, types, attribute, must] = cellsOf(row, 4) as [string, string, string, Must];
    return tableRule(modelOf(models, id), id, types, attribute, must, exempt[id] ?? (() => false));
  });

function tableRule(model: Model, id: string, typesText: string, attribute: string, must: Must, isExempt: Exempt) {
  const { types, condition } = readTypes(typesText);
  for (const type of types) tableTypes.add(type);
  const expectation = readExpectation(must);
  const paths = attribute.split(' or ');
  const context = condition?.isMet ? nested(condition.attribute.split('.'), condition.words[0]) : {};
  const sample = (path: string, value: unknown) =>
    template(types[0]!, { ...context, ...nested(path.replaceAll('?', '').split('.'), value) });
  const first = paths[0]!;
  const missing = first.includes('?.')
    ? sample(first.slice(0, first.lastIndexOf('?.')), {})
    : template(types[0]!, context);
  return rule({
    ...textsOf(model),
    id: `cloudformation-${id}`,
    remediation: expectation.advice(first.replaceAll('?', '')),
    find: (found) =>
      resources(found, ...types).flatMap((block) => {
        if (condition && hasValue(block.body, condition.attribute, condition.words) !== condition.isMet) return [];
        const wrong = whatIsWrong(block.body, attribute, expectation);
        if (wrong === null || isExempt(block, found)) return [];
        return [{ ...onBlock(block, wrong), knownAs: namesOn(block, model.scopedNames ?? model.knownAs) }];
      }),
    matches: [
      ...(expectation.bad === null ? [] : [sample(first, expectation.bad)]),
      ...(expectation.isMissingWrong ? [missing] : []),
    ],
    misses: [...paths.map((path) => sample(path, expectation.good)), sample(first, { 'Fn::ImportValue': 'x' })],
  });
}

const nested = ([step = '', ...rest]: string[], value: unknown): Record<string, unknown> => ({
  [step]: rest.length === 0 ? value : nested(rest, value),
});

/** Builds the CloudFormation equivalent of a Terraform check. */
function sameCheck(models: Model[], id: string, rest: { remediation: string; matches: string[]; misses: string[] }) {
  const model = modelOf(models, id);
  return rule({ ...textsOf(model), ...rest, id: `cloudformation-${id}`, find: model.find });
}

const models: Array<InfrastructureRule<'terraform'>> = [
  ...terraformAccessRules,
  ...terraformAwsRules,
  ...terraformAwsDataRules,
  ...terraformAwsServiceRules,
  ...terraformLinkedRules,
  ...terraformNetworkRules,
  ...terraformPolicyRules,
  ...terraformSecretRules,
];

const group = (ingress: unknown) => template('AWS::EC2::SecurityGroup', { SecurityGroupIngress: [ingress] });
const port = (number: number, rest: object = { CidrIp: '0.0.0.0/0' }) =>
  group({ IpProtocol: 'tcp', FromPort: number, ToPort: number, ...rest });
const policy = (statement: object) =>
  template('AWS::IAM::Policy', { PolicyDocument: { Statement: [{ Effect: 'Allow', ...statement }] } });
const ports = {
  ssh: 22,
  rdp: 3389,
  postgresql: 5432,
  mysql: 3306,
  mssql: 1433,
  redis: 6379,
  mongodb: 27017,
  elasticsearch: 9200,
};

const logTargets = /^(?:DestinationBucketName|S3BucketName|LogDestination|AccessLogsBucket|Bucket)$/;

/** A bucket that receives another resource's logs would log its own log. */
const receivesLogs = (block: TerraformBlock, found: TerraformBlock[]): boolean => {
  const names = [`\${${block.name}}`, `\${Fn::GetAtt ${block.name}.Arn}`, textOf(block.body.BucketName)];
  const namesBucket = (value: Value): boolean =>
    entriesOf(value).some(
      ([key, inner]) => (logTargets.test(key) && inner !== '' && names.includes(textOf(inner))) || namesBucket(inner),
    );
  return found
    .filter((other) => other !== block && !/^AWS::S3::(?:BucketPolicy|AccessPoint)$/.test(other.type))
    .some((other) => namesBucket(other.body));
};

export const cloudFormationRules = [
  ...cloudFormationTable(
    models,
    [
      's3-public-acl | AWS::S3::Bucket | AccessControl | not PublicRead, PublicReadWrite, AuthenticatedRead',
      's3-block-public-acls | AWS::S3::Bucket | PublicAccessBlockConfiguration?.BlockPublicAcls | true',
      's3-block-public-policy | AWS::S3::Bucket | PublicAccessBlockConfiguration?.BlockPublicPolicy | true',
      's3-ignore-public-acls | AWS::S3::Bucket | PublicAccessBlockConfiguration?.IgnorePublicAcls | true',
      's3-restrict-public-buckets | AWS::S3::Bucket | PublicAccessBlockConfiguration?.RestrictPublicBuckets | true',
      's3-unblocked | AWS::S3::Bucket | PublicAccessBlockConfiguration | set',
      's3-unversioned | AWS::S3::Bucket unless AccessControl = LogDeliveryWrite | VersioningConfiguration.Status | one of Enabled',
      's3-unlogged | AWS::S3::Bucket unless AccessControl = LogDeliveryWrite | LoggingConfiguration | set',
      'rds-unencrypted | AWS::RDS::DBInstance AWS::RDS::DBCluster | StorageEncrypted or DBClusterIdentifier or SourceDBInstanceIdentifier | true',
      'rds-public | AWS::RDS::DBInstance | PubliclyAccessible | false',
      'rds-deletable | AWS::RDS::DBInstance AWS::RDS::DBCluster | DeletionProtection or SourceDBInstanceIdentifier or ReplicationSourceIdentifier | true',
      'rds-no-backup | AWS::RDS::DBInstance | BackupRetentionPeriod | >= 1, if set',
      'rds-unlogged | AWS::RDS::DBInstance AWS::RDS::DBCluster | EnableCloudwatchLogsExports | set',
      'rds-no-upgrades | AWS::RDS::DBInstance | AutoMinorVersionUpgrade | true, if set',
      'ebs-unencrypted | AWS::EC2::Volume | Encrypted | true',
      'efs-unencrypted | AWS::EFS::FileSystem | Encrypted | true',
      'redshift-unencrypted | AWS::Redshift::Cluster | Encrypted | true',
      'redshift-public | AWS::Redshift::Cluster | PubliclyAccessible | false',
      'elasticache-transit | AWS::ElastiCache::ReplicationGroup | TransitEncryptionEnabled | true',
      'elasticache-at-rest | AWS::ElastiCache::ReplicationGroup | AtRestEncryptionEnabled | true',
      'elasticache-no-token | AWS::ElastiCache::ReplicationGroup | AuthToken or UserGroupIds | set',
      'kms-rotation | AWS::KMS::Key unless KeyUsage = SIGN_VERIFY, GENERATE_VERIFY_MAC, KEY_AGREEMENT | EnableKeyRotation | true',
      'imds-v1 | AWS::EC2::LaunchTemplate | LaunchTemplateData.MetadataOptions.HttpTokens | one of required',
      'instance-public-ip | AWS::EC2::Instance | NetworkInterfaces?.AssociatePublicIpAddress | false',
      'extra-disk-unencrypted | AWS::EC2::Instance | BlockDeviceMappings?.Ebs?.Encrypted or BlockDeviceMappings?.NoDevice | true',
      'subnet-public-ip | AWS::EC2::Subnet | MapPublicIpOnLaunch | false',
      'lb-http | AWS::ElasticLoadBalancingV2::Listener where DefaultActions.Type = forward | Protocol | not HTTP',
      'lb-old-tls | AWS::ElasticLoadBalancingV2::Listener | SslPolicy | not ELBSecurityPolicy-2016-08, ELBSecurityPolicy-2015-05, ELBSecurityPolicy-TLS-1-0-2015-04, ELBSecurityPolicy-TLS-1-1-2017-01',
      'target-http | AWS::ElasticLoadBalancingV2::TargetGroup | Protocol | not HTTP',
      'elb-http | AWS::ElasticLoadBalancing::LoadBalancer | Listeners.Protocol | not http',
      'elb-unlogged | AWS::ElasticLoadBalancing::LoadBalancer | AccessLoggingPolicy.Enabled | true',
      'cloudfront-http | AWS::CloudFront::Distribution | DistributionConfig.DefaultCacheBehavior.ViewerProtocolPolicy | not allow-all',
      'cloudfront-behavior-http | AWS::CloudFront::Distribution | DistributionConfig.CacheBehaviors?.ViewerProtocolPolicy | not allow-all',
      'cloudfront-old-tls | AWS::CloudFront::Distribution | DistributionConfig.ViewerCertificate.MinimumProtocolVersion | not SSLv3, TLSv1, TLSv1_2016, TLSv1.1_2016',
      'cloudfront-unlogged | AWS::CloudFront::Distribution | DistributionConfig.Logging | set',
      'cloudfront-no-waf | AWS::CloudFront::Distribution | DistributionConfig.WebACLId | set',
      'ecr-mutable | AWS::ECR::Repository | ImageTagMutability | one of IMMUTABLE*',
      'ecr-unscanned | AWS::ECR::Repository | ImageScanningConfiguration.ScanOnPush | true',
      'ecr-own-key | AWS::ECR::Repository | EncryptionConfiguration.EncryptionType | one of KMS*',
      'cloudtrail-validation | AWS::CloudTrail::Trail | EnableLogFileValidation | true',
      'cloudtrail-one-region | AWS::CloudTrail::Trail | IsMultiRegionTrail | true',
      'cloudtrail-unencrypted | AWS::CloudTrail::Trail | KMSKeyId | set',
      'cloudtrail-stopped | AWS::CloudTrail::Trail | IsLogging | true, if set',
      'mq-public | AWS::AmazonMQ::Broker AWS::DMS::ReplicationInstance | PubliclyAccessible | false',
      'mq-unlogged | AWS::AmazonMQ::Broker | Logs.General | true',
      'neptune-unencrypted | AWS::Neptune::DBCluster | StorageEncrypted | true',
      'neptune-unlogged | AWS::Neptune::DBCluster | EnableCloudwatchLogsExports | set',
      'neptune-deletable | AWS::Neptune::DBCluster | DeletionProtection | true',
      'neptune-iam | AWS::Neptune::DBCluster | IamAuthEnabled | true',
      'docdb-unencrypted | AWS::DocDB::DBCluster | StorageEncrypted | true',
      'docdb-unlogged | AWS::DocDB::DBCluster | EnableCloudwatchLogsExports | set',
      'docdb-deletable | AWS::DocDB::DBCluster | DeletionProtection | true',
      'search-at-rest | AWS::OpenSearchService::Domain AWS::Elasticsearch::Domain | EncryptionAtRestOptions.Enabled | true',
      'search-http | AWS::OpenSearchService::Domain AWS::Elasticsearch::Domain | DomainEndpointOptions.EnforceHTTPS | true',
      'search-nodes | AWS::OpenSearchService::Domain AWS::Elasticsearch::Domain | NodeToNodeEncryptionOptions.Enabled | true',
      'search-old-tls | AWS::OpenSearchService::Domain AWS::Elasticsearch::Domain | DomainEndpointOptions.TLSSecurityPolicy | one of Policy-Min-TLS-1-2*',
      'search-public | AWS::OpenSearchService::Domain AWS::Elasticsearch::Domain | VPCOptions | set',
      'search-unlogged | AWS::OpenSearchService::Domain AWS::Elasticsearch::Domain | LogPublishingOptions | set',
      'sns-unencrypted | AWS::SNS::Topic | KmsMasterKeyId | set',
      'sqs-unencrypted | AWS::SQS::Queue | SqsManagedSseEnabled or KmsMasterKeyId | true',
      'kinesis-unencrypted | AWS::Kinesis::Stream | StreamEncryption.EncryptionType | one of KMS',
      'firehose-unencrypted | AWS::KinesisFirehose::DeliveryStream | DeliveryStreamEncryptionConfigurationInput or KinesisStreamSourceConfiguration | set',
      'dynamodb-own-key | AWS::DynamoDB::Table | SSESpecification.SSEEnabled | true',
      'dynamodb-no-recovery | AWS::DynamoDB::Table | PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled | true',
      'dax-unencrypted | AWS::DAX::Cluster | SSESpecification.SSEEnabled | true',
      'secret-own-key | AWS::SecretsManager::Secret | KmsKeyId | set',
      'log-group-own-key | AWS::Logs::LogGroup | KmsKeyId | set',
      'log-retention | AWS::Logs::LogGroup | RetentionInDays | set',
      'backup-own-key | AWS::Backup::BackupVault | EncryptionKeyArn | set',
      'eks-unlogged | AWS::EKS::Cluster | Logging | set',
      'eks-secrets-unencrypted | AWS::EKS::Cluster | EncryptionConfig | set',
      'eks-public | AWS::EKS::Cluster | ResourcesVpcConfig.EndpointPublicAccess or ResourcesVpcConfig.PublicAccessCidrs | false, set',
      'ecs-unmonitored | AWS::ECS::Cluster | ClusterSettings.Value | one of enabled, enhanced',
      'ecs-public-ip | AWS::ECS::Service | NetworkConfiguration?.AwsvpcConfiguration?.AssignPublicIp | not ENABLED',
      'efs-mount-plaintext | AWS::ECS::TaskDefinition | Volumes?.EFSVolumeConfiguration?.TransitEncryption | one of ENABLED',
      'lambda-untraced | AWS::Lambda::Function | TracingConfig.Mode | set',
      'function-url-no-auth | AWS::Lambda::Url | AuthType | not NONE',
      'lambda-permission-public | AWS::Lambda::Permission | Principal | not *',
      'api-no-auth | AWS::ApiGateway::Method unless HttpMethod = OPTIONS | AuthorizationType | not NONE',
      'api-unlogged | AWS::ApiGateway::Stage AWS::ApiGatewayV2::Stage | AccessLogSetting or AccessLogSettings | set',
      'api-untraced | AWS::ApiGateway::Stage | TracingEnabled | true',
      'api-old-tls | AWS::ApiGateway::DomainName | SecurityPolicy | one of TLS_1_2, TLS_1_3*, SecurityPolicy_TLS1*',
      'codebuild-privileged | AWS::CodeBuild::Project | Environment.PrivilegedMode | false',
      'codebuild-unencrypted | AWS::CodeBuild::Project | Artifacts?.EncryptionDisabled | false',
      'sagemaker-internet | AWS::SageMaker::NotebookInstance | DirectInternetAccess | one of Disabled',
      'sagemaker-root | AWS::SageMaker::NotebookInstance | RootAccess | one of Disabled',
      'sagemaker-own-key | AWS::SageMaker::NotebookInstance | KmsKeyId | set',
      'transfer-public | AWS::Transfer::Server | EndpointType | one of VPC, VPC_ENDPOINT',
      'athena-workgroup-unencrypted | AWS::Athena::WorkGroup | WorkGroupConfiguration.ResultConfiguration?.EncryptionConfiguration | set',
      'guardduty-stopped | AWS::GuardDuty::Detector | Enable | true, if set',
    ],
    { 's3-unversioned': receivesLogs, 's3-unlogged': receivesLogs },
  ),
  ...Object.entries(ports).map(([id, number]) =>
    sameCheck(models, `open-${id}`, {
      remediation: 'Allow only the addresses that need it, or use a VPN or the cloud’s session service.',
      matches: [port(number), port(number, { CidrIpv6: '::/0' })],
      misses: [port(number, { CidrIp: '10.0.0.0/8' }), port(number, { CidrIp: { Ref: 'Office' } }), port(443)],
    }),
  ),
  sameCheck(models, 'open-admin-port', {
    remediation: 'Allow only the addresses that need it, or use a VPN.',
    matches: [port(2375)],
    misses: [port(8080), port(2375, { CidrIp: '10.0.0.0/8' })],
  }),
  sameCheck(models, 'open-to-all', {
    remediation: 'Allow only the ports and addresses that are needed.',
    matches: [group({ IpProtocol: '-1', CidrIp: '0.0.0.0/0' })],
    misses: [group({ IpProtocol: '-1', CidrIp: '10.0.0.0/8' }), port(443)],
  }),
  sameCheck(models, 'iam-everything', {
    remediation: 'List the actions and resources that are needed.',
    matches: [policy({ Action: '*', Resource: '*' })],
    misses: [policy({ Action: 's3:GetObject', Resource: '*' }), policy({ Effect: 'Deny', Action: '*', Resource: '*' })],
  }),
  sameCheck(models, 'iam-service-wildcard', {
    remediation: 'List the actions and resources that are needed.',
    matches: [policy({ Action: ['s3:*'], Resource: '*' })],
    misses: [policy({ Action: ['s3:*'], Resource: { 'Fn::GetAtt': ['B', 'Arn'] } })],
  }),
  sameCheck(models, 'iam-risky-action', {
    remediation: 'Name the roles, keys or secrets in `Resource`.',
    matches: [policy({ Action: 'iam:PassRole', Resource: '*' })],
    misses: [policy({ Action: 'iam:PassRole', Resource: 'arn:aws:iam::1:role/x' })],
  }),
  sameCheck(models, 'policy-public', {
    remediation: 'List the permitted accounts or roles, or add a condition.',
    matches: [
      template('AWS::S3::BucketPolicy', {
        PolicyDocument: { Statement: [{ Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: 'x' }] },
      }),
    ],
    misses: [
      template('AWS::S3::BucketPolicy', {
        PolicyDocument: { Statement: [{ Effect: 'Allow', Principal: { AWS: '1' }, Action: 's3:GetObject' }] },
      }),
    ],
  }),
  sameCheck(models, 'role-trusts-everyone', {
    remediation: 'Name the accounts, roles or services that assume it.',
    matches: [
      template('AWS::IAM::Role', {
        AssumeRolePolicyDocument: { Statement: [{ Effect: 'Allow', Principal: { AWS: '*' } }] },
      }),
    ],
    misses: [
      template('AWS::IAM::Role', {
        AssumeRolePolicyDocument: { Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' } }] },
      }),
    ],
  }),
  sameCheck(models, 'kms-public', {
    remediation: 'Name the accounts or roles that use the key.',
    matches: [template('AWS::KMS::Key', { KeyPolicy: { Statement: [{ Effect: 'Allow', Principal: '*' }] } })],
    misses: [template('AWS::KMS::Key', { KeyPolicy: { Statement: [{ Effect: 'Allow', Principal: { AWS: '1' } }] } })],
  }),
  sameCheck(models, 'password-written', {
    remediation:
      'Let the cloud manage it (`ManageMasterUserPassword: true`), or take it from a secret store (`{{resolve:secretsmanager:…}}`), and rotate the exposed one.',
    matches: [template('AWS::RDS::DBInstance', { MasterUserPassword: 'hunter22' })],
    misses: [template('AWS::RDS::DBInstance', { MasterUserPassword: '{{resolve:secretsmanager:x}}' })],
  }),
  sameCheck(models, 'secret-in-settings', {
    remediation: 'Fetch it from a secret store when the program starts, and rotate the exposed one.',
    matches: [
      template('AWS::Lambda::Function', { Environment: { Variables: { DB_PASSWORD: 'hunter22' } } }),
      template('AWS::EC2::Instance', { UserData: { 'Fn::Base64': 'export API_KEY=abcdefgh' } }),
    ],
    misses: [template('AWS::Lambda::Function', { Environment: { Variables: { DB_PASSWORD: { Ref: 'Password' } } } })],
  }),
];
