// Compares a request with what an exchange expects, and describes each difference in a sentence.
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

const show = (value) => JSON.stringify(value);
/** Headers that browsers set themselves. */
const userAgent = /^(assay-(typescript|python|go)\/\d+\.\d+\.\d+\S*( |$)|Mozilla\/5\.0 )/;
const visible = /^[\x21-\x7e]{1,255}$/;

/** Returns a query as lists of values by name: repeated and comma-separated values are the same. */
function readQuery(text) {
  const query = {};
  for (const [name, value] of new URLSearchParams(text)) query[name] = [...(query[name] ?? []), ...value.split(',')];
  return query;
}

const listed = (query) =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value].flat().map(String)]));

const segments = (path) => path.split('/').map(decodeURIComponent);

function* explainTarget(found, expected) {
  if (found.method !== expected.method) yield `the method is ${found.method}, not ${expected.method}.`;
  const [path, search = ''] = found.path.split('?');
  const full = `/api/v1${expected.path}`;
  if (!isDeepStrictEqual(segments(path), segments(full))) yield `the path is ${path}, not ${full}.`;
  const [query, wanted] = [readQuery(search), listed(expected.query ?? {})];
  const sorted = (value) => Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  if (!isDeepStrictEqual(sorted(query), sorted(wanted))) yield `the query is ${show(query)}, not ${show(wanted)}.`;
}

function* explainHeaders(found, expected, conformanceCase) {
  const { token } = conformanceCase.client;
  const common = { authorization: token === null ? null : `Bearer ${token}` };
  for (const [name, value] of Object.entries({ ...common, ...expected.headers })) {
    const given = found.headers[name.toLowerCase()] ?? null;
    if (given !== value) yield `the header ${name} is ${show(given)}, not ${show(value)}.`;
  }
  if (!userAgent.test(found.headers['user-agent'] ?? '')) yield `its User-Agent is ${found.headers['user-agent']}.`;
}

function* explainBody(found, expected) {
  const { body } = found;
  if (expected.json !== undefined) {
    if (!found.headers['content-type']?.startsWith('application/json'))
      yield 'its Content-Type is not application/json.';
    let value;
    try {
      value = JSON.parse(body.toString());
    } catch {
      yield `its body is not JSON: ${body.toString().slice(0, 200)}`;
      return;
    }
    if (!isDeepStrictEqual(value, expected.json)) yield `the body is ${show(value)}, not ${show(expected.json)}.`;
  } else if (expected.text !== undefined) {
    if (body.toString() !== expected.text)
      yield `the body is ${show(body.toString().slice(0, 200))}, not ${show(expected.text)}.`;
  } else if (expected.sha256 !== undefined) {
    const hash = createHash('sha256').update(body).digest('hex');
    if (hash !== expected.sha256) yield `the body's ${body.length} bytes are not the ones expected.`;
  } else if (body.length > 0) {
    yield `it has a body (${body.toString().slice(0, 200)}) where none is expected.`;
  }
}

function* explainKey(found, expected, isRetry, keys) {
  const key = found.headers['idempotency-key'];
  const isBulkUpdate = expected.method === 'PATCH' && expected.path === '/findings';
  if (expected.method !== 'POST' && !isBulkUpdate) {
    if (key !== undefined) yield 'it has an Idempotency-Key, which only a POST and a bulk update have.';
    return;
  }
  if (key === undefined || !visible.test(key)) yield `its Idempotency-Key is ${show(key)}.`;
  if (isRetry && key !== keys.at(-1)) yield 'the Idempotency-Key is not the one of the first attempt.';
  if (!isRetry && keys.includes(key)) yield 'the Idempotency-Key was used by an earlier call.';
  keys.push(key);
}

/** Returns the request that an exchange expects: for a retry, that of the exchange before it. */
function expectedRequest(exchanges, index) {
  while (exchanges[index].retry) index--;
  return exchanges[index].request;
}

/** Returns sentences that describe how the request differs from exchange `index`. `keys` collects idempotency keys. */
export function explainDifference(found, conformanceCase, index, keys) {
  const exchange = conformanceCase.exchanges[index];
  const expected = expectedRequest(conformanceCase.exchanges, index);
  return [
    ...explainTarget(found, expected),
    ...explainHeaders(found, expected, conformanceCase),
    ...explainBody(found, expected),
    ...explainKey(found, expected, exchange.retry === true, keys),
  ];
}
