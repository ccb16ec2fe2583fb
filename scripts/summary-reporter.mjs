// A reporter for logs: failures in full, slow files by name, and the runner's closing lines.
import { relative } from 'node:path';
import { inspect } from 'node:util';

const slowMs = 20_000;

function describeFailure({ name, file, line, details }) {
  const place = file ? ` (${relative(process.cwd(), file)}:${line})` : '';
  const error = details.error?.cause ?? details.error;
  return `✖ ${name}${place}\n${inspect(error, { depth: 4 })}\n\n`;
}

/** A suite fails because a test in it did, which is reported already. */
const isOwnFailure = ({ details }) => details.error?.failureType !== 'subtestsFailed';

export default async function* summarize(events) {
  for await (const { type, data } of events) {
    if (type === 'test:fail' && isOwnFailure(data)) yield describeFailure(data);
    if ((type === 'test:pass' || type === 'test:fail') && data.nesting === 0 && data.details.duration_ms > slowMs) {
      yield `· ${data.name} took ${Math.round(data.details.duration_ms / 1000)} s\n`;
    }
    if (type === 'test:diagnostic' && data.nesting === 0 && data.file === undefined) yield `ℹ ${data.message}\n`;
  }
}
