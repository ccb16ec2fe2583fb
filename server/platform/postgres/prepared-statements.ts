/**
 * The length of all texts that a connection keeps prepared. A server process takes about 70 bytes for each character
 * (parse tree and plan): lists alone have a statement for each combination of filters and orders, of 0.6 MB each, and
 * took 150 MB per connection within minutes.
 */
const maxCharacters = 160_000;

/** The statements that a connection has prepared, in the order of their last use. */
export class PreparedStatements {
  readonly #lengths = new Map<string, number>();
  #characters = 0;

  use(name: string, text: string): void {
    const isKnown = this.#lengths.delete(name);
    this.#lengths.set(name, text.length);
    if (!isKnown) this.#characters += text.length;
  }

  /**
   * Forgets the statements that have not been used for longest, and returns their names. It returns none while there is
   * room, and otherwise frees half of it, so that connections rarely have to send this.
   */
  takeUnused(): string[] {
    if (this.#characters <= maxCharacters) return [];
    const names: string[] = [];
    for (const [name, length] of this.#lengths) {
      if (this.#characters <= maxCharacters / 2) break;
      this.#lengths.delete(name);
      this.#characters -= length;
      names.push(name);
    }
    return names;
  }
}
