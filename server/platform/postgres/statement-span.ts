import { openChild, type Span } from '../tracing/tracing.ts';
import { operationOf, type Statement } from './statement.ts';

/** What every transaction begins with says nothing, and goes out together with the next statement. */
const isSetting = (operation: string) => ['BEGIN', 'SET'].includes(operation);

/**
 * Opens the span of a statement within a request or a job, with its name and never its values; null for all others. The
 * texts of statements without a name are not recorded either: a setting can contain a value.
 */
export function openStatementSpan({ name, text }: Statement): Span | null {
  const operation = operationOf(text);
  if (isSetting(operation)) return null;
  return openChild(() => ({
    name: name ?? operation,
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.summary': name ?? operation,
    },
  }));
}
