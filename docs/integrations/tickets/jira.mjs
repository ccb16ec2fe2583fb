import { request } from './request.mjs';

const label = 'assay';

const paragraph = (text) => ({ type: 'paragraph', content: [{ type: 'text', text }] });

const link = (href) => ({
  type: 'paragraph',
  content: [{ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }],
});

/** Returns a description in Atlassian's document format. */
const documentOf = (finding) => ({
  type: 'doc',
  version: 1,
  content: [
    paragraph(`${finding.severity} · ${finding.source} · ${finding.number}`),
    link(finding.url),
    ...[finding.location.path, finding.rule.name, finding.description].filter(Boolean).map(paragraph),
  ],
});

/** Jira Cloud, through version 3 of its REST API. One label of an issue identifies its finding. */
export function jira({
  JIRA_URL,
  JIRA_EMAIL,
  JIRA_TOKEN,
  JIRA_PROJECT,
  JIRA_ISSUE_TYPE = 'Bug',
  JIRA_SETTLE_SECONDS = 60,
}) {
  const credentials = Buffer.from(`${JIRA_EMAIL}:${JIRA_TOKEN}`).toString('base64');
  const headers = { Accept: 'application/json', Authorization: `Basic ${credentials}` };
  const send = async (method, path, json) =>
    (await request(method, `${JIRA_URL}/rest/api/3${path}`, headers, json)).data;

  /** Moves an issue to a status of one of these categories, with any transition that its workflow offers. */
  async function move(key, categories) {
    const { transitions } = await send('GET', `/issue/${key}/transitions`);
    const found = transitions.find(({ to }) => categories.includes(to.statusCategory.key));
    if (!found)
      throw new Error(`The workflow of ${key} leads to no status of the category ${categories.join(' or ')}.`);
    await send('POST', `/issue/${key}/transitions`, { transition: { id: found.id } });
  }

  return {
    // Jira's search finds a new issue only after a while.
    settleMs: JIRA_SETTLE_SECONDS * 1000,

    async load() {
      const tickets = new Map();
      const query = {
        jql: `project = "${JIRA_PROJECT}" AND labels = "${label}"`,
        fields: ['labels', 'status'],
        maxResults: 100,
      };
      for (let next = {}; next; ) {
        const { issues, nextPageToken } = await send('POST', '/search/jql', { ...query, ...next });
        for (const { key, fields } of issues) {
          const finding = fields.labels.find((text) => text.startsWith('fnd_'));
          if (finding) tickets.set(finding, { key, open: fields.status.statusCategory.key !== 'done' });
        }
        next = nextPageToken && { nextPageToken };
      }
      return tickets;
    },

    async create(finding) {
      const fields = {
        project: { key: JIRA_PROJECT },
        issuetype: { name: JIRA_ISSUE_TYPE },
        summary: finding.title.replace(/\s+/g, ' ').slice(0, 250),
        description: documentOf(finding),
        labels: [label, finding.id],
      };
      return (await send('POST', '/issue', { fields })).key;
    },

    close: (key) => move(key, ['done']),
    reopen: (key) => move(key, ['new', 'indeterminate']),
  };
}
