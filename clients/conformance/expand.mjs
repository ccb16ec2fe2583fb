// Expands the rows of the exchange files to whole cases. README.md describes both.

/** Returns a query as an object; values with a comma are lists. */
const queryOf = (text) =>
  Object.fromEntries(
    text.split('&').map((pair) => {
      const [name, value] = pair.split(/=(.*)/s);
      return [name, value.includes(',') ? value.split(',') : value];
    }),
  );

/** Expands a request: `GET /findings?limit=2`, a name of the file's `requests` with more of its query, or an object with `is`. */
function requestOf(given, named) {
  const { is: text, ...more } = typeof given === 'string' ? { is: given } : given;
  const name = Object.keys(named).find((key) => text === key || text.startsWith(`${key}&`));
  if (name !== undefined) {
    const { query, ...request } = requestOf(named[name], {});
    const added = text === name ? {} : queryOf(text.slice(name.length + 1));
    return { ...request, ...(query && { query: { ...query, ...added } }), ...more };
  }
  const [, method, path, query] = /^(\S+) ([^?]+)(?:\?(.*))?$/s.exec(text);
  return { method, path, ...(query !== undefined && { query: queryOf(query) }), ...more };
}

/** Expands a response. `first` is the number of the request that it responds to, or that is repeated. */
function responseOf(given, first) {
  if (typeof given === 'number') return { status: given };
  if (typeof given === 'string') return { [given]: true };
  if (Array.isArray(given)) {
    const [status, code, message, { details, ...more } = {}] = given;
    const error = { code, message, ...(details && { details }), request_id: `req_${first}` };
    return { status, json: { error }, ...more };
  }
  const { page, next = null, events, ...response } = given;
  if (response.reset || response.hang) return response;
  return {
    status: 200,
    ...(events && { headers: { 'Content-Type': 'text/event-stream' }, chunks: events }),
    ...(page && { json: { data: page, next_cursor: next } }),
    ...response,
  };
}

/** Expands rows of a request and the responses to it and to its repetitions. */
function exchangesOf(rows, named) {
  const exchanges = [];
  for (const [request, ...responses] of rows) {
    const first = exchanges.length + 1;
    responses.forEach((response, index) => {
      const part = index === 0 ? { request: requestOf(request, named) } : { retry: true };
      exchanges.push({ ...part, response: responseOf(response, first) });
    });
  }
  return exchanges;
}

function callOf([name, ...given]) {
  const dot = name.lastIndexOf('.');
  return { resource: name.slice(0, dot), method: name.slice(dot + 1), arguments: given };
}

/** Expands what is expected: by default the last response. */
function expectationOf({ expect, items, error }, exchanges) {
  const responses = exchanges.map(({ response }) => response);
  const { status, json } = responses.at(-1) ?? {};
  if (expect === undefined && items === undefined && error === undefined) return { result: json };
  const all = items === 'all' ? responses.flatMap((response) => response.json?.data ?? []) : items;
  const failure = typeof error === 'string' ? { class: error, status, ...json.error } : error;
  return { ...expect, ...(items && { items: all }), ...(error !== undefined && { error: failure }) };
}

/** Returns a row of an error, which is its class and the response, as an object. */
function errorRow([error, ...response]) {
  const article = /^[AEIOU]/.test(error) ? 'an' : 'a';
  const name = `${response[0]} ${response[1]} is ${article} ${error}`;
  return { name, client: { max_retries: 0 }, responses: [response], error };
}

/** Returns the whole case of a row. `file` has the call and the request of rows without one, and named requests. */
export function expandCase(given, file) {
  const row = Array.isArray(given) ? errorRow(given) : given;
  const { name, client, call = file.call, as, take, times, options, cancel, waits_ms } = row;
  const { request = file.request, responses = [], exchanges: rows } = row;
  const exchanges = exchangesOf(rows ?? (responses.length > 0 ? [[request, ...responses]] : []), file.requests ?? {});
  return {
    name,
    ...(client && { client }),
    call: {
      ...callOf(call),
      ...(as && { as }),
      ...(take && { take }),
      ...(times && { times }),
      ...(options && { options }),
    },
    ...(cancel && { cancel }),
    exchanges,
    ...(waits_ms && { waits_ms }),
    expect: expectationOf(row, exchanges),
  };
}
