import pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';

/** The driver's connection, as far as a query uses it. */
type Connection = {
  parsedStatements: Record<string, string | undefined>;
  submittedNamedStatements: Record<string, string | undefined>;
  parse(statement: { text: string; name: string | undefined }): void;
  bind(values: { portal: ''; statement: string | undefined; values: unknown; valueMapper: typeof prepareValue }): void;
  describe(portal: { type: 'P'; name: '' }): void;
  execute(portal: { portal: '' }): void;
  sync(): void;
};

/** The driver's query, which its types describe only in part. */
export type DriverQuery = pg.Query & {
  name: string | undefined;
  text: string;
  values: unknown[] | undefined;
  callback: (error: Error | null, result?: pg.QueryResult) => void;
  _result: { _types: unknown };
  requiresPreparation(): boolean;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleEmptyQuery(connection: Connection): void;
  handleError(error: Error, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
};

const skipped = () =>
  Object.assign(new Error('An earlier statement that was sent with this one failed.'), { code: '25P02' });

/** PostgreSQL then keeps the connection, and skips the other statements of the run. */
const isOfStatement = (error: Error) => (error as { severity?: string }).severity === 'ERROR';

/**
 * Statements with parameters that are sent together and end with one Sync: PostgreSQL sends its results at each Sync,
 * and each packet wakes this process up. If a statement fails, PostgreSQL skips those after it, as it would
 * within a transaction anyway.
 */
export class StatementRun extends pg.Query {
  readonly #parts: readonly DriverQuery[];
  #at = 0;
  /** The error of a statement whose values can't be sent; those after it were not sent either. */
  #unsent: Error | null = null;
  #isSettled = false;

  constructor(parts: readonly DriverQuery[], types: unknown) {
    super({ text: parts[0]!.text });
    this.#parts = parts;
    for (const part of parts) part._result._types ??= types;
    this.#enter(0);
  }

  /** The driver reads the name and the text of the statement whose results arrive. */
  #enter(at: number): void {
    this.#at = at;
    const { name, text } = this.#parts[at] ?? { name: undefined, text: '' };
    Object.assign(this, { name, text });
  }

  get #part(): DriverQuery {
    return this.#parts[this.#at]!;
  }

  override submit = (connection: unknown): Error | null => {
    const to = connection as Connection;
    for (const { name, text } of this.#parts) {
      const known = name && (to.parsedStatements[name] ?? to.submittedNamedStatements[name]);
      if (known && known !== text) return new Error(`The statement “${name}” was prepared with another text.`);
    }
    try {
      for (const part of this.#parts) send(part, to);
    } catch (error) {
      this.#unsent = error as Error;
    }
    to.sync();
    return null;
  };

  handleRowDescription(message: unknown): void {
    this.#part.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.#part.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    this.#part.handleCommandComplete(message, connection);
    this.#enter(this.#at + 1);
  }

  handleEmptyQuery(connection: Connection): void {
    this.#part.handleEmptyQuery(connection);
    this.#enter(this.#at + 1);
  }

  handleError(error: Error, connection: Connection): void {
    this.#settle(connection, error);
  }

  handleReadyForQuery(connection: Connection): void {
    this.#settle(connection, this.#unsent);
  }

  #settle(connection: Connection, error: Error | null): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    for (const [index, part] of this.#parts.entries()) {
      if (index < this.#at) part.handleReadyForQuery(connection);
      else if (error !== null) {
        if (part.name) delete connection.submittedNamedStatements[part.name];
        part.handleError(index > this.#at && isOfStatement(error) ? skipped() : error, connection);
      }
    }
    (this as unknown as DriverQuery).callback(error);
  }
}

function send({ name, text, values }: DriverQuery, connection: Connection): void {
  const isKnown =
    name !== undefined &&
    (connection.parsedStatements[name] !== undefined || connection.submittedNamedStatements[name] !== undefined);
  if (!isKnown) {
    connection.parse({ text, name });
    if (name !== undefined) connection.submittedNamedStatements[name] = text;
  }
  connection.bind({ portal: '', statement: name, values, valueMapper: prepareValue });
  connection.describe({ type: 'P', name: '' });
  connection.execute({ portal: '' });
}
