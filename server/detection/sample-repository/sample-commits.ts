import { sample, samplePem, sampleWithCrc32Base62 } from '@assay/scanner/detectors/secrets/sample.ts';

/** Paths and their new contents; null deletes the file. */
export type SampleCommit = { message: string; files: Record<string, string | null> };

/**
 * The planted problems of the sample repository. The secrets are invented and assembled here: none of them opens
 * anything.
 */
const planted = {
  awsKeyId: `AKIA${sample('A-Z2-7', 16, 'shop')}`,
  awsSecret: sample('0-9A-Za-z+/', 40, 'shop'),
  githubToken: sampleWithCrc32Base62(`${'ghp'}_`, 30),
  stripeKey: `sk_${'live'}_${sample('0-9A-Za-z', 24, 'shop')}`,
  slackWebhook: `https://hooks.slack.com/services/T${sample('A-Z0-9', 10, 'team')}/B${sample('A-Z0-9', 10, 'bot')}/${sample('0-9A-Za-z', 24, 'hook')}`,
  databasePassword: sample('0-9A-Za-z', 20, 'database'),
  privateKey: samplePem('RSA PRIVATE KEY'),
  npmToken: sampleWithCrc32Base62(`${'npm'}_`, 30),
};

/**
 * The history of a small web shop, oldest first: some problems are in the newest files, some only in older ones, and
 * some are false alarms.
 */
export function sampleCommits(): SampleCommit[] {
  return [
    { message: 'Start the shop', files: { 'README.md': readme, 'package.json': manifest, 'src/server.ts': server } },
    {
      message: 'Take payments',
      files: { 'src/payments.ts': payments, '.env.example': environmentExample, 'src/search.ts': search },
    },
    {
      message: 'Deploy to AWS',
      files: {
        'deploy/prod.env': productionEnvironment,
        'deploy/deploy_key.pem': `${planted.privateKey}\n`,
        'deploy/main.tf': terraform,
        Dockerfile: dockerfile,
      },
    },
    {
      message: 'Tell the team about orders',
      files: { 'src/notify.ts': notify, 'config/database.yml': database(planted.databasePassword) },
    },
    {
      message: 'Take credentials out of the repository\n\nThey come from the environment now.',
      files: { 'deploy/prod.env': null, 'deploy/deploy_key.pem': null, 'src/payments.ts': paymentsFromEnvironment },
    },
    {
      message: `Publish packages\n\nTested with NPM_TOKEN=${planted.npmToken} on my machine.`,
      files: { 'scripts/release.sh': release, 'docs/payments.md': documentation, 'package-lock.json': lock },
    },
  ];
}

const readme = `# Sample shop

A small made-up web shop with planted problems, for trying a scan on. Nothing here opens anything.
`;

const manifest = `${JSON.stringify(
  {
    name: 'sample-shop',
    version: '1.0.0',
    private: true,
    dependencies: { express: '4.16.0', lodash: '4.17.15', minimist: '1.2.0' },
  },
  null,
  2,
)}\n`;

const lock = `${JSON.stringify(
  {
    name: 'sample-shop',
    version: '1.0.0',
    lockfileVersion: 3,
    packages: {
      '': { name: 'sample-shop', dependencies: { express: '4.16.0', lodash: '4.17.15', minimist: '1.2.0' } },
      'node_modules/express': { version: '4.16.0' },
      'node_modules/lodash': { version: '4.17.15' },
      'node_modules/minimist': { version: '1.2.0' },
    },
  },
  null,
  2,
)}\n`;

const server = `import express from 'express';
import { search } from './search.ts';

const app = express();
app.get('/search', async (request, response) => response.json(await search(request.query.q)));
app.listen(3000);
`;

const search = `import { query } from './database.ts';

export function search(words) {
  return query("SELECT * FROM product WHERE name LIKE '%" + words + "%'");
}
`;

const payments = `import Stripe from 'stripe';

export const stripe = new Stripe('${planted.stripeKey}');
`;

const paymentsFromEnvironment = `import Stripe from 'stripe';

export const stripe = new Stripe(process.env.STRIPE_SECRET_KEY);
`;

const environmentExample = `# Copy to .env and fill in.
AWS_ACCESS_KEY_ID=AKIA${'IOSFODNN7EXAMPLE'}
AWS_SECRET_ACCESS_KEY=your-secret-key-here
DATABASE_PASSWORD=changeme
STRIPE_SECRET_KEY=sk_live_xxxxxxxxxxxxxxxxxxxxxxxx
GITHUB_TOKEN=<your token>
`;

const productionEnvironment = `AWS_ACCESS_KEY_ID=${planted.awsKeyId}
AWS_SECRET_ACCESS_KEY=${planted.awsSecret}
AWS_REGION=eu-central-1
`;

const terraform = `resource "aws_s3_bucket" "uploads" {
  bucket = "sample-shop-uploads"
}

resource "aws_s3_bucket_acl" "uploads" {
  bucket = aws_s3_bucket.uploads.id
  acl    = "public-read"
}

resource "aws_security_group_rule" "ssh" {
  type        = "ingress"
  from_port   = 22
  to_port     = 22
  protocol    = "tcp"
  cidr_blocks = ["0.0.0.0/0"]
}
`;

const dockerfile = `FROM node:latest
COPY . /app
WORKDIR /app
RUN npm install
USER root
CMD ["node", "src/server.ts"]
`;

const notify = `const webhook = '${planted.slackWebhook}';

export function notify(text: string) {
  return fetch(webhook, { method: 'POST', body: JSON.stringify({ text }) });
}
`;

const database = (password: string) => `production:
  adapter: postgresql
  url: postgresql://shop:${password}@db.internal:5432/shop
development:
  url: postgresql://localhost/shop
`;

const release = `#!/bin/sh
set -e
export GITHUB_TOKEN=${planted.githubToken}
gh release create "$1" --generate-notes
`;

const documentation = `# Payments

The test key was \`${planted.stripeKey}\` until we moved it to the environment.
Set \`STRIPE_SECRET_KEY\` to the key of your account, for example \`sk_live_...\`.
`;
