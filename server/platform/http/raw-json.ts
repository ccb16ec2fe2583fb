/**
 * A response that is JSON text already, for example from the database. It is sent without serialising. The route's
 * schema still describes it, and tests compare such responses with it.
 */
export class RawJson {
  readonly text: string;
  /** Whether the request excluded fields that the schema requires. */
  readonly isPart: boolean;

  constructor(text: string, { isPart = false } = {}) {
    this.text = text;
    this.isPart = isPart;
  }
}
