import { ApplicationClient } from '../../server/platform/postgres/application-client.ts';
import { operationOf, type Statement } from '../../server/platform/postgres/statement.ts';

/** A statement as sent, and the settings of its transaction, including the role and the organization. */
export type SentStatement = { name: string | null; text: string; values: unknown[]; settings: string[] };

/** The number of executions of the same text, each with its own values, that are stored. */
const maxKept = 4;

const isOfTransaction = /^(BEGIN|START|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|LISTEN|UNLISTEN|SET|SHOW|LOCK)$/;

/** A name that is a hash of the text says nothing. */
const isHashed = /^findings_[\w-]{27}$/;

/** Returns the name of a statement or, if it has none, its first words. */
export const titleOf = ({ name, text }: Pick<SentStatement, 'name' | 'text'>): string =>
  name === null || isHashed.test(name) ? text.replace(/\s+/g, ' ').trim().slice(0, 150) : name;

/** Records the statements that this process sends to a database as the service, until it is stopped. */
export class StatementRecord {
  readonly #kept = new Map<string, SentStatement[]>();
  readonly #settings = new WeakMap<ApplicationClient, string[]>();
  readonly #original = { send: ApplicationClient.prototype.send, sendAll: ApplicationClient.prototype.sendAll };

  constructor() {
    const note = (client: ApplicationClient, statements: Statement[]) => this.#note(client, statements);
    const { send, sendAll } = this.#original;
    ApplicationClient.prototype.send = function <Row extends object>(this: ApplicationClient, statement: Statement) {
      note(this, [statement]);
      return send.call(this, statement) as ReturnType<typeof send<Row>>;
    };
    ApplicationClient.prototype.sendAll = function (this: ApplicationClient, statements) {
      note(this, statements);
      return sendAll.call(this, statements);
    };
  }

  stop(): void {
    Object.assign(ApplicationClient.prototype, this.#original);
  }

  get statements(): SentStatement[] {
    return [...this.#kept.values()].flat();
  }

  /** Stores the first execution of the same text and values, and a few of the same text. */
  #note(client: ApplicationClient, statements: Statement[]): void {
    for (const { name = null, text, values = [] } of statements) {
      const operation = operationOf(text);
      if (operation === 'BEGIN' || operation === 'START') this.#settings.set(client, []);
      if (operation === 'SET') this.#settings.set(client, [...(this.#settings.get(client) ?? []), text]);
      if (isOfTransaction.test(operation)) continue;
      const same = this.#kept.get(text) ?? [];
      this.#kept.set(text, same);
      const key = JSON.stringify(values);
      if (same.length >= maxKept || same.some((kept) => JSON.stringify(kept.values) === key)) continue;
      same.push({ name, text, values, settings: this.#settings.get(client) ?? [] });
    }
  }
}
