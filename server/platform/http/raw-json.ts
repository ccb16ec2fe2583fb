/**
 * An answer that is JSON text already, e.g. put together by the database: it is sent as it is, past the serialiser.
 * The route's schema still describes it, and tests hold such answers against it.
 */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
