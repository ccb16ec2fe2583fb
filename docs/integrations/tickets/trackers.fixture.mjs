// The parts of GitHub's and Jira's issues that the recipe uses, as servers with state. They refuse requests that break
// the published rules of those APIs, and record them in `mistakes`.
import { createServer } from 'node:http';

const send = (response, status, value, headers = {}) =>
  response
    .writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...headers })
    .end(value === undefined ? undefined : JSON.stringify(value));

class Tracker {
  issues = [];
  mistakes = [];
  /** Replaces the next response to a creation: 'limit' refuses it, 'drop' creates the issue and does not respond. */
  next = null;

  async start() {
    this.server = createServer(async (request, response) => {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString();
      const refuse = (status, message) => {
        this.mistakes.push(`${request.method} ${request.url}: ${message}`);
        send(response, status, this.errorOf(message));
      };
      try {
        const body = text === '' ? undefined : JSON.parse(text);
        if (body && !request.headers['content-type']?.startsWith('application/json')) refuse(415, 'It is not JSON.');
        else await this.respond(request, response, new URL(request.url, this.url), body, refuse);
      } catch (error) {
        refuse(400, error.stack);
      }
    });
    await new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${this.server.address().port}`;
  }

  /** Creates an issue; returns nothing if another response was sent. */
  create(response, issue, limit) {
    const { next } = this;
    this.next = null;
    if (next === 'limit') return void limit();
    this.issues.push(issue);
    return next === 'drop' ? void response.destroy() : issue;
  }

  async close() {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const unknownMembers = (body, known) => Object.keys(body ?? {}).filter((name) => !known.includes(name));

/**
 * https://docs.github.com/rest/issues/issues (2022-11-28). Here a page has at most two issues, regardless of the
 * request.
 */
export class GithubServer extends Tracker {
  errorOf = (message) => ({ message, documentation_url: 'https://docs.github.com/rest' });
  environment = () => ({ GITHUB_API_URL: this.url, GITHUB_REPOSITORY: 'octo/payments', GITHUB_TOKEN: 'ghs_test' });
  open = () => this.issues.filter(({ state }) => state === 'open').length;
  findingsOf = () => this.issues.map(({ body }) => /fnd_\w+/.exec(body)[0]);

  respond(request, response, url, body, refuse) {
    const { headers, method } = request;
    if (!headers['user-agent']) return refuse(403, 'Request forbidden by administrative rules.');
    if (headers.authorization !== 'Bearer ghs_test') return refuse(401, 'Bad credentials');
    if (headers['x-github-api-version'] !== '2022-11-28') return refuse(400, 'This version is not supported.');
    const [, number] = /^\/repos\/octo\/payments\/issues(?:\/(\d+))?$/.exec(url.pathname) ?? [null, null];
    if (!/^\/repos\/octo\/payments\/issues/.test(url.pathname)) return refuse(404, 'Not Found');
    if (method === 'GET') return this.list(response, url);
    if (method === 'POST') return this.post(response, body, refuse);
    const issue = this.issues.find((item) => item.number === Number(number));
    if (!issue) return refuse(404, 'Not Found');
    const reasons = { open: ['reopened'], closed: ['completed', 'not_planned', 'duplicate'] };
    if (unknownMembers(body, ['state', 'state_reason']).length > 0 || !reasons[body.state]?.includes(body.state_reason))
      return refuse(422, 'Validation Failed');
    send(response, 200, Object.assign(issue, body));
  }

  list(response, url) {
    const page = Number(url.searchParams.get('page') ?? 1);
    const label = url.searchParams.get('labels');
    const state = url.searchParams.get('state') ?? 'open';
    const found = this.issues
      .filter((issue) => issue.labels.some(({ name }) => name === label))
      .filter((issue) => state === 'all' || issue.state === state)
      .reverse();
    const next = new URL(url);
    next.searchParams.set('page', page + 1);
    const link = found.length > page * 2 ? { Link: `<${next}>; rel="next", <${url}>; rel="first"` } : {};
    send(response, 200, found.slice((page - 1) * 2, page * 2), link);
  }

  post(response, body, refuse) {
    const wrong = unknownMembers(body, ['title', 'body', 'labels', 'assignees', 'milestone', 'type']);
    if (wrong.length > 0 || typeof body.title !== 'string' || body.title.length < 1 || body.title.length > 256)
      return refuse(422, 'Validation Failed');
    if (body.body?.length > 65_536 || body.labels.some((label) => label.length > 50)) return refuse(422, 'Too long.');
    const labels = body.labels.map((name) => ({ name }));
    const issue = { ...body, number: this.issues.length + 1, state: 'open', state_reason: null, labels };
    const limit = () =>
      send(response, 403, this.errorOf('You have exceeded a secondary rate limit.'), { 'Retry-After': 1 });
    const created = this.create(response, issue, limit);
    if (created) send(response, 201, created);
  }
}

const categories = { 'To Do': 'new', 'In Progress': 'indeterminate', Done: 'done' };

/** https://developer.atlassian.com/cloud/jira/platform/rest/v3. Its search finds an issue `lagMs` after it was created. */
export class JiraServer extends Tracker {
  lagMs = 300;
  errorOf = (message) => ({ errorMessages: [message], errors: {} });
  environment = () => ({
    JIRA_URL: this.url,
    JIRA_EMAIL: 'assay@example.com',
    JIRA_TOKEN: 'secret',
    JIRA_PROJECT: 'SEC',
    JIRA_SETTLE_SECONDS: '1',
  });
  open = () => this.issues.filter(({ fields }) => fields.status.statusCategory.key !== 'done').length;
  findingsOf = () => this.issues.map(({ fields }) => fields.labels.find((label) => label.startsWith('fnd_')));

  respond(request, response, url, body, refuse) {
    const credentials = Buffer.from('assay@example.com:secret').toString('base64');
    if (request.headers.authorization !== `Basic ${credentials}`) return refuse(401, 'Unauthorized');
    const path = url.pathname.replace('/rest/api/3', '');
    if (request.method === 'POST' && path === '/search/jql') return this.search(response, body, refuse);
    if (request.method === 'POST' && path === '/issue') return this.post(response, body, refuse);
    const issue = this.issues.find(({ key }) => path === `/issue/${key}/transitions`);
    if (!issue) return refuse(404, 'Issue does not exist or you do not have permission to see it.');
    // This project's workflow has a transition from each status to every other.
    const names = Object.keys(categories).filter((name) => name !== issue.fields.status.name);
    const transitions = names.map((name) => ({
      id: String(11 + 10 * Object.keys(categories).indexOf(name)),
      name: `To ${name}`,
      to: { name, statusCategory: { key: categories[name] } },
    }));
    if (request.method === 'GET') return send(response, 200, { expand: 'transitions', transitions });
    const taken = transitions.find(({ id }) => id === body?.transition?.id);
    if (!taken) return refuse(400, 'It is not on the appropriate workflow status.');
    issue.fields.status = taken.to;
    send(response, 204);
  }

  search(response, body, refuse) {
    const known = [
      'jql',
      'fields',
      'maxResults',
      'nextPageToken',
      'expand',
      'properties',
      'reconcileIssues',
      'fieldsByKeys',
    ];
    if (unknownMembers(body, known).length > 0) return refuse(400, 'Invalid request payload.');
    if (body.jql !== 'project = "SEC" AND labels = "assay"') return refuse(400, 'The query is unbounded or unknown.');
    const found = this.issues.filter(({ createdAt }) => Date.now() - createdAt > this.lagMs);
    const start = Number(body.nextPageToken ?? 0);
    const only = (fields) => Object.fromEntries(Object.entries(fields).filter(([name]) => body.fields.includes(name)));
    const issues = found.slice(start, start + 2).map(({ id, key, fields }) => ({ id, key, fields: only(fields) }));
    const isLast = start + 2 >= found.length;
    send(response, 200, { issues, isLast, ...(!isLast && { nextPageToken: String(start + 2) }) });
  }

  post(response, { fields, ...others }, refuse) {
    if (unknownMembers(others, ['update']).length > 0) return refuse(400, 'Invalid request payload.');
    const wrong = unknownMembers(fields, ['project', 'issuetype', 'summary', 'description', 'labels']);
    if (wrong.length > 0) return refuse(400, `Field '${wrong[0]}' cannot be set.`);
    if (fields.project.key !== 'SEC' || fields.issuetype.name !== 'Bug') return refuse(400, 'Specify a valid project.');
    if (fields.summary.length > 255) return refuse(400, 'Summary must be less than 255 characters.');
    if (/[\r\n]/.test(fields.summary))
      return refuse(400, 'The summary is invalid because it contains newline characters.');
    if (fields.labels.some((label) => /\s/.test(label))) return refuse(400, "The label can't contain spaces.");
    if (!isDocument(fields.description)) return refuse(400, 'Operation value must be an Atlassian Document.');
    const number = this.issues.length + 1;
    const status = { name: 'To Do', statusCategory: { key: 'new' } };
    const issue = {
      id: String(10_000 + number),
      key: `SEC-${number}`,
      createdAt: Date.now(),
      fields: { ...fields, status },
    };
    const limit = () => send(response, 429, this.errorOf('Rate limit exceeded.'), { 'Retry-After': 1 });
    const created = this.create(response, issue, limit);
    if (created)
      send(response, 201, { id: created.id, key: created.key, self: `${this.url}/rest/api/3/issue/${created.id}` });
  }
}

/** https://developer.atlassian.com/cloud/jira/platform/apis/document/structure: a text must not be empty. */
const isDocument = ({ type, version, content }) =>
  type === 'doc' &&
  version === 1 &&
  content.every(
    (block) =>
      block.type === 'paragraph' && block.content.every((node) => node.type === 'text' && node.text?.length > 0),
  );
