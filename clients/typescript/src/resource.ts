import { type Call, jsonCall, listCall, type PageCall } from './call.ts';
import type { RequestOptions } from './options.ts';
import type { RequestSpec, Transport } from './transport.ts';

/** The base of all resources. */
export class Resource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  protected call<T>(spec: RequestSpec, options?: RequestOptions): Call<T> {
    return jsonCall(this.transport, spec, options);
  }

  protected pages<T>(path: string[], query?: object, options?: RequestOptions): PageCall<T> {
    return listCall(this.transport, path, query, options);
  }
}
