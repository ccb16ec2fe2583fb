// Makes the call of a conformance case with the client library and compares the outcome with the expected one. It
// imports no modules of Node.js, so that Deno and Bun can run it too.

const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const asJson = (value) => JSON.parse(JSON.stringify(value ?? null));

function fail(message) {
  throw new Error(message);
}

function assertEqual(actual, expected, what) {
  const sorted = (value) => {
    if (Array.isArray(value)) return value.map(sorted);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.keys(value)
        .sort()
        .map((key) => [key, sorted(value[key])]),
    );
  };
  const [found, wanted] = [JSON.stringify(sorted(asJson(actual))), JSON.stringify(sorted(expected))];
  if (found !== wanted) fail(`${what} is ${found.slice(0, 1500)}, not ${wanted.slice(0, 1500)}.`);
}

/** Returns an argument of the case in the library's form. */
function argumentOf(value) {
  if (Array.isArray(value)) return value.map(argumentOf);
  if (value === null || typeof value !== 'object') return value;
  if (typeof value.time === 'string') return new Date(value.time);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, argumentOf(item)]));
}

function fileOf({ text, base64, repeat, times, as }) {
  const bytes = base64
    ? Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    : new TextEncoder().encode(text ?? repeat.repeat(times));
  if (as !== 'stream') return bytes.length > 1000 ? new Blob([bytes]) : bytes;
  return (async function* () {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  })();
}

const optionNames = {
  timeout_ms: 'timeoutMs',
  max_retries: 'maxRetries',
  if_match: 'ifMatch',
  max_wait_ms: 'maxWaitMs',
};

function optionsOf(options = {}) {
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [optionNames[name] ?? camel(name), value]));
}

async function digest(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function assertContent(content, expected) {
  const bytes = await content.bytes();
  if (expected.text !== undefined) assertEqual(new TextDecoder().decode(bytes), expected.text, 'The content');
  if (expected.base64 !== undefined) assertEqual(btoa(String.fromCharCode(...bytes)), expected.base64, 'The content');
  if (expected.length !== undefined) assertEqual(bytes.length, expected.length, 'The length');
  if (expected.sha256 !== undefined) assertEqual(await digest(bytes), expected.sha256, 'The hash');
  if (expected.filename !== undefined) assertEqual(content.filename, expected.filename, 'The file name');
  if (expected.content_type !== undefined) assertEqual(content.contentType, expected.content_type, 'The type');
}

const errorFields = { request_id: 'requestId', retry_after_ms: 'retryAfterMs' };

function assertError(error, expected) {
  if (!(error instanceof Error)) fail(`It threw ${String(error)}.`);
  if (error.constructor.name !== expected.class || error.name !== expected.class) {
    fail(`It threw ${error.name} (${error.stack}), not ${expected.class}.`);
  }
  for (const [field, value] of Object.entries(expected)) {
    if (field !== 'class') assertEqual(error[errorFields[field] ?? field], value, `The error's ${field}`);
  }
}

/** Asserts that the outcome does not contain the token. */
function assertNoToken(token, inspect, ...values) {
  for (const value of values) {
    const texts = [String(value), value?.message, value?.stack, inspect(value)];
    try {
      texts.push(JSON.stringify(value));
    } catch {
      // The value has no JSON form, so the token can't be in it.
    }
    const shown = texts.find((text) => typeof text === 'string' && text.includes(token));
    if (shown !== undefined) fail(`The token is shown: ${shown}`);
  }
}

/** Records waits, and aborts during the wait in which the case is cancelled. */
function createClock(cancel, controller) {
  const waits = [];
  const sleep = async (ms, signal) => {
    waits.push(ms);
    if (cancel?.at_wait === waits.length) controller.abort();
    signal?.throwIfAborted();
  };
  return { waits, sleep };
}

/** Returns the address for the client of a case. */
const addressOf = (text, baseUrl) =>
  text.replace('{base_url}', baseUrl).replace('{root_url}', baseUrl.replace(/\/api\/v1$/, ''));

function makeClient({ Assay }, given, baseUrl, sleep, log) {
  const { token, max_retries, timeout_ms, headers, base_url, from_environment } = given;
  const settings = { maxRetries: max_retries, timeoutMs: timeout_ms, headers, sleep, log };
  if (!from_environment)
    return new Assay({ ...settings, token, baseUrl: addressOf(base_url ?? '{base_url}', baseUrl) });
  const { env } = globalThis.process;
  [env.ASSAY_TOKEN, env.ASSAY_BASE_URL] = [token, baseUrl];
  try {
    return new Assay(settings);
  } finally {
    delete env.ASSAY_TOKEN;
    delete env.ASSAY_BASE_URL;
  }
}

/** Makes the case's call; `outcome` collects all results before an error. */
async function perform(client, { call }, signal, outcome, isStream) {
  const resource = call.resource.split('.').reduce((place, name) => place[camel(name)], client);
  const method = camel(call.method);
  const isUpload = call.resource === 'imports';
  const isFile = (value) => isUpload && ['text', 'base64', 'repeat'].some((name) => Object.hasOwn(Object(value), name));
  const values = call.arguments.map((value) => (isFile(value) ? fileOf(value) : argumentOf(value)));
  const onProgress = (progress) => {
    if (progress.sentBytes < (outcome.progress?.sentBytes ?? 0)) fail('The progress went back.');
    outcome.progress = progress;
  };
  const options = { ...optionsOf(call.options), signal, ...(isUpload && { onProgress }) };
  for (let time = 1; time < (call.times ?? 1); time++) await resource[method](...values, options);
  const result = resource[method](...values, options);
  if (call.as !== 'items' && !isStream) {
    outcome.result = await result;
    return;
  }
  outcome.items = [];
  for await (const item of result) {
    outcome.items.push(item);
    if (outcome.items.length === call.take) break;
  }
}

function assertWaits(waits, expected) {
  const fits =
    waits.length === expected.length &&
    waits.every((ms, index) => ms >= expected[index][0] && ms <= expected[index][1]);
  if (!fits) fail(`It waited ${JSON.stringify(waits)}, not ${JSON.stringify(expected)}.`);
}

async function readVerdict(url) {
  for (let attempt = 0; ; attempt++) {
    const verdict = await (await fetch(url)).json();
    if (verdict.open_requests === 0 || attempt > 200) return verdict;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Runs one case; throws an error that says what is wrong. */
export async function runCase(library, conformanceCase, serverUrl, surface, inspect) {
  const { id, client: given, call, cancel, expect, waits_ms } = conformanceCase;
  const run = await (await fetch(`${serverUrl}/cases/${id}`, { method: 'POST' })).json();
  const isStream = surface.resources[call.resource][call.method].returns === 'stream';
  const controller = new AbortController();
  const { waits, sleep } = createClock(cancel, controller);
  const outcome = {};
  const logged = [];
  let error = null;
  let client;
  try {
    client = makeClient(library, given, run.base_url, sleep, (entry) => logged.push(entry));
    if (cancel?.after_ms === 0) controller.abort();
    else if (cancel?.after_ms)
      fetch(run.received_url).then(
        () => setTimeout(() => controller.abort(), cancel.after_ms),
        (failure) => controller.abort(failure),
      );
    await perform(client, conformanceCase, controller.signal, outcome, isStream);
    if (expect.content || call.method === 'export') await assertContent(outcome.result, expect.content ?? {});
  } catch (thrown) {
    error = thrown;
  }
  if (expect.cancelled) {
    if (error !== controller.signal.reason) fail(`It was not cancelled: ${error?.stack}`);
  } else if (expect.error) {
    if (error === null) fail('It threw nothing.');
    assertError(error, expect.error);
  } else if (error !== null) {
    throw error;
  }
  if (expect.result !== undefined) assertEqual(outcome.result, expect.result, 'The result');
  if (expect.items) assertEqual(outcome.items ?? [], expect.items, 'What was iterated');
  if (expect.progress) {
    const { sentBytes, totalBytes } = outcome.progress;
    assertEqual({ sent_bytes: sentBytes, total_bytes: totalBytes }, expect.progress, 'The progress');
  }
  assertWaits(waits, waits_ms);
  assertNoToken(given.token, inspect, error, client, logged);
  const { problems, open_requests } = await readVerdict(run.verdict_url);
  if (problems.length > 0) fail(problems.join('\n'));
  if (open_requests > 0) fail('A connection was left open.');
}
