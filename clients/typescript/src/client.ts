import { ClientResources } from './client-resources.ts';
import { type ClientOptions, readOptions } from './options.ts';
import { Transport } from './transport.ts';

/** A client of one Assay service with one token. Creating it sends nothing. */
export class Assay extends ClientResources {
  constructor(options: ClientOptions = {}) {
    super(new Transport(readOptions(options)));
  }
}
