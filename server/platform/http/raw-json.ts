/**
 * A response that is JSON text already, for example made by the database. It is sent as it is, without serialising. The
 * route's schema still describes it, and tests compare such responses with it.
 */
export class RawJson {
  readonly text: string;
  /** Whether fields that the schema requires were left out, because the request said so. */
  readonly isPart: boolean;

  constructor(text: string, { isPart = false } = {}) {
    this.text = text;
    this.isPart = isPart;
  }
}
