/** Hand-written results in the formats of cloud and image scanners. */
export const dockleSample = {
  image: 'registry.example:5000/shop:1.2',
  summary: { fatal: 1, warn: 1, info: 0, skip: 1, pass: 13 },
  details: [
    {
      code: 'CIS-DI-0010',
      title: 'Do not store credential in environment variables/files',
      level: 'FATAL',
      alerts: ['Suspicious ENV key found : API_TOKEN', 'Suspicious filename found : app/id_rsa'],
    },
    { code: 'CIS-DI-0001', title: 'Create a user for the container', level: 'WARN', alerts: ['Last user is root'] },
    { code: 'DKL-LI-0003', title: 'Only put necessary files', level: 'SKIP', alerts: ['Failed to detect'] },
  ],
};

const uid = 'prowler-aws-s3_bucket_public_access-123456789012-eu-west-1-shop';

const prowlerEvent = {
  metadata: { event_code: 's3_bucket_public_access', product: { name: 'Prowler', version: '5.0.0' } },
  severity_id: 5,
  severity: 'Critical',
  status: 'New',
  status_code: 'FAIL',
  status_detail: 'S3 bucket shop is public.',
  status_id: 1,
  finding_info: { title: 'Buckets are not public', desc: 'Nobody outside may read a bucket.', uid },
  resources: [{ name: 'shop', uid: 'arn:aws:s3:::shop', type: 'AwsS3Bucket' }],
  category_uid: 2,
  class_uid: 2004,
  type_name: 'Detection Finding: Create',
  remediation: { desc: 'Block public access.', references: ['https://example.com/s3'] },
};

export const prowlerOcsfSample = [
  prowlerEvent,
  {
    ...prowlerEvent,
    status_id: 3,
    finding_info: { title: 'Logs are on', uid: `${uid}-logs` },
    metadata: { event_code: 's3_bucket_logging', product: { name: 'Prowler' } },
  },
  { ...prowlerEvent, status_id: 3, status: 'Suppressed', finding_info: { title: 'Muted', uid: `${uid}-muted` } },
  { ...prowlerEvent, status_code: 'PASS', finding_info: { title: 'Fine', uid: `${uid}-fine` } },
  { ...prowlerEvent, status_code: 'MANUAL', finding_info: { title: 'By hand', uid: `${uid}-manual` } },
];

export const prowlerSample = `AUTH_METHOD;TIMESTAMP;ACCOUNT_UID;FINDING_UID;PROVIDER;CHECK_ID;CHECK_TITLE;STATUS;STATUS_EXTENDED;MUTED;SERVICE_NAME;SEVERITY;RESOURCE_UID;RESOURCE_NAME;DESCRIPTION;RISK;RELATED_URL;REMEDIATION_RECOMMENDATION_TEXT;REMEDIATION_RECOMMENDATION_URL;CATEGORIES
profile;2099-01-01;123456789012;${uid};aws;s3_bucket_public_access;Buckets are not public;FAIL;S3 bucket shop is public.;False;s3;critical;arn:aws:s3:::shop;shop;"Nobody outside; may read it.";Data leaks.;;Block public access.;https://example.com/s3;internet-exposed
profile;2099-01-01;123456789012;${uid}-muted;aws;s3_bucket_logging;Logs are on;FAIL;No logs.;True;s3;low;arn:aws:s3:::shop;shop;;;;;;
profile;2099-01-01;123456789012;${uid}-fine;aws;s3_bucket_tls;TLS only;PASS;Fine.;False;s3;low;arn:aws:s3:::shop;shop;;;;;;
`;

export const inspectorArn = 'arn:aws:inspector2:eu-west-1:123456789012:finding/00031f625ee77ac186869f906eb73366';

export const inspectorSample = {
  findings: [
    {
      awsAccountId: '123456789012',
      findingArn: inspectorArn,
      description: 'A memory leak was found.',
      inspectorScore: 5.5,
      packageVulnerabilityDetails: {
        cvss: [{ baseScore: 5.5, source: 'NVD', version: '3.1' }],
        referenceUrls: ['https://example.com/leak'],
        relatedVulnerabilities: [],
        source: 'DEBIAN_CVE',
        sourceUrl: 'https://example.com/CVE-2099-0502',
        vulnerabilityId: 'CVE-2099-0502',
        vulnerablePackages: [
          { name: 'linux', version: '4.19.118', packageManager: 'OS', fixedInVersion: '0:4.19.232-1' },
        ],
      },
      remediation: { recommendation: { text: 'None Provided' } },
      resources: [{ id: 'arn:aws:ecr:eu-west-1:123456789012:repository/shop', type: 'AWS_ECR_CONTAINER_IMAGE' }],
      severity: 'MEDIUM',
      status: 'ACTIVE',
      title: 'CVE-2099-0502 - linux',
      type: 'PACKAGE_VULNERABILITY',
    },
    {
      findingArn: `${inspectorArn}-code`,
      codeVulnerabilityDetails: {
        cwes: ['CWE-798'],
        detectorId: 'python/hardcoded-credentials',
        detectorName: 'Hardcoded credentials',
        filePath: { fileName: 'app.py', filePath: 'src/app.py', startLine: 4, endLine: 5 },
      },
      severity: 'UNTRIAGED',
      status: 'SUPPRESSED',
      title: 'CWE-798 - Hardcoded credentials',
      type: 'CODE_VULNERABILITY',
    },
    {
      findingArn: `${inspectorArn}-old`,
      severity: 'HIGH',
      status: 'CLOSED',
      title: 'Old',
      type: 'NETWORK_REACHABILITY',
    },
  ],
};
