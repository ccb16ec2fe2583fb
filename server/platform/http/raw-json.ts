/**
 * A response that is JSON text already, for example made by the database. It is sent as it is, without serialising. The
 * route's schema still describes it, and tests compare such responses with it.
 */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
