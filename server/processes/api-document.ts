import { readFileSync } from 'node:fs';
import { outsideRoutes, routes } from '../api.ts';
import manifest from '../package.json' with { type: 'json' };
import { createOpenApiDocument, type OpenApiDocument } from '../platform/openapi/document.ts';

const description = readFileSync(new URL('./api-introduction.md', import.meta.url), 'utf8');

/** The OpenAPI document of this release, with the operator's address for technical questions. */
export const apiDocument = (supportEmail: string | null = null): OpenApiDocument =>
  createOpenApiDocument([...routes, ...outsideRoutes], {
    title: 'Assay API',
    version: manifest.version,
    summary: 'Security findings: scan, triage and integrate.',
    description,
    contact: { name: 'Your Assay administrator', ...(supportEmail === null ? {} : { email: supportEmail }) },
    tags: [
      { name: 'Findings', description: 'One record per problem, with its triage.' },
      { name: 'Bulk operations', description: 'Updates of many findings at once: their progress, and undoing them.' },
      {
        name: 'Decisions',
        description: 'Statements about findings, present and future, with a scope, a reason and an end.',
      },
      { name: 'Views', description: 'Saved filters of the list of findings, private or shared.' },
      { name: 'Detection sources', description: 'The connected scanners.' },
      { name: 'Scans', description: 'Runs of a detection source over data sources.' },
      { name: 'Scan schedules', description: 'Scans that start by themselves.' },
      {
        name: 'Reports',
        description:
          'Findings as they were at one moment, as documents and files: on demand, or mailed by a timetable.',
      },
      {
        name: 'Data sources',
        description: 'The things that are scanned: repositories, websites, hosts, images, and places for uploads.',
      },
      { name: 'Organization', description: 'The current organization, its members and invitations.' },
      {
        name: 'Sign-in',
        description: 'The pages on which people sign in. They get a session cookie; programs use API tokens.',
      },
      { name: 'Events', description: 'A live stream of events of the organization.' },
      { name: 'Profile', description: 'The person behind a console session, and their API tokens.' },
    ],
  });
