// Writes the resources of the Go client from surface.json and openapi.json.
import { camel, describeResources, linesOf, pascal } from './methods.mjs';

/** The maximum length of a comment with more than the summary, in characters: the API's description has the rest. */
const maxComment = 100;

const goName = (name) => name.replace(/Api(?=[A-Z])/g, 'API');
const argumentOf = (id) => (id === 'type' ? 'kind' : camel(id).replace(/Id$/, 'ID'));
const comment = (text) => linesOf(text, 127).map((line) => `// ${line}`);

/** Puts the verb of "Undo a bulk operation" into the third person. */
const thirdPerson = (summary) =>
  summary.replace(/^\w+/, (verb) => verb.toLowerCase() + (/(o|s|x|sh|ch)$/.test(verb) ? 'es' : 's'));

/** Returns as many complete sentences of a text as fit. */
function shortened(text) {
  const sentences = text.split(/(?<=[.:]) (?=[A-Z])/);
  let length = 0;
  const kept = sentences.filter((sentence, index) => {
    length += sentence.length + 1;
    return index === 0 || length <= maxComment;
  });
  return kept.join(' ');
}

function methodOf(method, type) {
  const { verb, returns, body, params, onceWith } = method;
  const name = pascal(method.name);
  const given = method.ids.map(argumentOf);
  const ids = given.length > 0 ? [`${given.join(', ')} string`] : [];
  const list = [
    'ctx context.Context',
    ...ids,
    ...(params ? [`params ${goName(params)}`] : []),
    'options ...CallOption',
  ];
  const path = `[]string{${method.path.map(({ text, id }) => (id ? argumentOf(id) : JSON.stringify(text))).join(', ')}}`;
  const result = goName(method.result ?? '');
  const func = (called, returned, text, call) => [
    ...comment(`${called} ${text}`),
    `func (r *${type}) ${called}(${list.join(', ')}) ${returned} {`,
    ...Object.entries(method.sets ?? {}).map(
      ([field, value]) => `\tparams.${pascal(field)} = Ptr(${JSON.stringify(value)})`,
    ),
    `\treturn ${call}`,
    '}',
    '',
  ];
  if (returns === 'page') {
    const items = method.summary.replace(/^List (the )?/, '$1');
    const call = `[${result}](ctx, r.t, ${path}, params, options)`;
    const all = `All${name.replace(/^List$/, '')}`;
    return [
      ...func(
        name,
        `(*Page[${result}], error)`,
        shortened(`requests one page of ${items}. ${method.text}`),
        `list${call}`,
      ),
      ...func(all, `iter.Seq2[${result}, error]`, `yields ${items}, of all pages.`, `all${call}`),
    ];
  }
  const sent = params ? `, ${body ? 'body' : 'query'}: params` : '';
  const once = onceWith ? `, once: params.${pascal(onceWith)} != ""` : '';
  const keyed = method.takesKey ? ', keyed: true' : '';
  const accept = returns === 'content' ? ', accept: "*/*"' : '';
  const constant = `http.Method${verb[0]}${verb.slice(1).toLowerCase()}`;
  const spec = `&spec{method: ${constant}, path: ${path}${sent}${once}${keyed}${accept}}`;
  const [returned, call, more] = {
    object: [`(*${result}, error)`, `do[${result}](ctx, r.t, ${spec}, options)`, ''],
    nothing: ['error', `doNothing(ctx, r.t, ${spec}, options)`, ''],
    content: [
      '(*Content, error)',
      `open(ctx, r.t, ${spec}, r.t.call(options))`,
      ' Save it, copy it, or read and close it.',
    ],
  }[returns];
  const text = `${thirdPerson(method.summary)}. ${method.text}`;
  return func(name, returned, `${shortened(text)}${more}`, call);
}

/** Returns a sentence that starts with the name of the type. */
function aboutOf(type, { name, about }) {
  const words = name.split('.').at(-1).replaceAll('_', ' ');
  const text = about.toLowerCase().startsWith(`${words}:`) ? about.slice(words.length + 1).trim() : about;
  return `${type}: ${text[0].toLowerCase()}${text.slice(1)}`;
}

/**
 * Returns the text of the file: the client, the types of its resources, and those of their methods that are
 * generated.
 */
export function goResources(surface, description) {
  const resources = describeResources(surface, description);
  const typeOf = ({ name }) => {
    const last = pascal(name.split('.').at(-1));
    return last in description.components.schemas ? `${last}Resource` : last;
  };
  const byName = Object.fromEntries(resources.map((resource) => [resource.name, resource]));
  const fieldOf = (name) => pascal(name.split('.').at(-1));
  const valueFor = (resource) =>
    `&${typeOf(resource)}{${['t', ...resource.inner.map((name) => valueFor(byName[name]))].join(', ')}}`;
  const outer = resources.filter(({ name }) => !name.includes('.'));
  const types = resources.flatMap((resource) => [
    ...comment(aboutOf(typeOf(resource), resource)),
    ...(resource.inner.length === 0
      ? [`type ${typeOf(resource)} struct{ t *transport }`]
      : [
          `type ${typeOf(resource)} struct {`,
          '\tt *transport',
          ...resource.inner.map((name) => `\t${fieldOf(name)} *${typeOf(byName[name])}`),
          '}',
        ]),
    '',
    ...resource.methods.flatMap((method) => methodOf(method, typeOf(resource))),
  ]);
  return [
    'package assay',
    '',
    'import (\n\t"context"\n\t"iter"\n\t"net/http"\n)',
    '',
    '// Client is a client of one Assay service with one token. It is safe for concurrent use.',
    'type Client struct {',
    ...outer.map((resource) => `\t${fieldOf(resource.name)} *${typeOf(resource)}`),
    '}',
    '',
    'func newClient(t *transport) *Client {',
    '\treturn &Client{',
    ...outer.map((resource) => `\t\t${fieldOf(resource.name)}: ${valueFor(resource)},`),
    '\t}',
    '}',
    '',
    ...types,
  ].join('\n');
}
