import { request } from './request.mjs';

const label = 'assay';
const fixed = ['resolved'];

/** Stores the finding of an issue in a comment that GitHub doesn't show. */
const marker = ({ id }) => `<!-- assay-finding: ${id} -->`;
const findingOf = ({ body }) => /<!-- assay-finding: (\w+) -->/.exec(body ?? '')?.[1];

/** Formats a text as code, so that it can't mention people or link to issues. */
const asCode = (text) => `\`\`\`\n${String(text ?? '').replaceAll('```', "'''")}\n\`\`\``;

const bodyOf = (finding) => `${marker(finding)}
| | |
| --- | --- |
| Severity | ${finding.severity} |
| Source | ${finding.source} |
| Finding | [${finding.number}](${finding.url}) |

${asCode([finding.location.path, finding.rule.name, ...finding.identifiers, finding.description].filter(Boolean).join('\n'))}`;

/** GitHub's issues, through version 2022-11-28 of its REST API. */
export function github({ GITHUB_REPOSITORY, GITHUB_TOKEN, GITHUB_API_URL = 'https://api.github.com' }) {
  const issues = `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/issues`;
  const headers = {
    Accept: 'application/vnd.github+json',
    Authorization: `Bearer ${GITHUB_TOKEN}`,
    'User-Agent': 'assay-tickets',
    'X-GitHub-Api-Version': '2022-11-28',
  };
  const send = (method, url, json) => request(method, url, headers, json);
  return {
    settleMs: 0,

    async load() {
      const tickets = new Map();
      for (let url = `${issues}?labels=${label}&state=all&per_page=100`; url; ) {
        const page = await send('GET', url);
        for (const issue of page.data) {
          if (findingOf(issue)) tickets.set(findingOf(issue), { key: issue.number, open: issue.state === 'open' });
        }
        url = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
      }
      return tickets;
    },

    async create(finding) {
      const title = finding.title.slice(0, 250);
      const body = bodyOf(finding).slice(0, 60_000);
      return (await send('POST', issues, { title, body, labels: [label, finding.severity] })).data.number;
    },

    close: (key, { status }) =>
      send('PATCH', `${issues}/${key}`, {
        state: 'closed',
        state_reason: fixed.includes(status) ? 'completed' : 'not_planned',
      }),

    reopen: (key) => send('PATCH', `${issues}/${key}`, { state: 'open', state_reason: 'reopened' }),
  };
}
