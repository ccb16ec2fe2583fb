import { routes } from './api.ts';
import manifest from './package.json' with { type: 'json' };
import { createOpenApiDocument, type OpenApiDocument } from './platform/openapi/document.ts';

const description = `Assay keeps one lasting record per security problem: it scans what you own, takes in what other scanners found,
and keeps what people decided about each finding through every rescan.

Every request carries \`Authorization: Bearer <API_TOKEN>\`. A token is made in your profile, section API tokens, or on the
command line (\`assay token create\`). Limits are counted per token.

Lists answer \`{"data": […], "next_cursor": …}\`: give \`next_cursor\` back, with the same filters and sort, to read on.
Times are UTC, \`YYYY-MM-DDThh:mm:ssZ\`. Unknown fields and parameters are refused, so that a typo never widens a result.
What carries \`x-extension: true\` goes beyond the core of the API; nothing else depends on it.`;

/** The OpenAPI document of this release. */
export const apiDocument = (): OpenApiDocument =>
  createOpenApiDocument(routes, {
    title: 'Assay API',
    version: manifest.version,
    summary: 'Security findings: scan, triage and integrate.',
    description,
    tags: [
      { name: 'Findings', description: 'One record per problem, with its triage.' },
      { name: 'Detection sources', description: 'The connected scanners.' },
      { name: 'Scans', description: 'Runs of a detection source over data sources.' },
      {
        name: 'Data sources',
        description: 'What is scanned: repositories, websites, hosts, images, and places for uploads.',
      },
      { name: 'Organization', description: 'The current organization, its members and invitations.' },
      { name: 'Profile', description: 'The person behind a console session, and their API tokens.' },
    ],
  });
