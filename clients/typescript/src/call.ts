import type { RequestOptions } from './options.ts';
import type { Outcome, RequestSpec, ResponseInfo, Transport } from './transport.ts';

/** A running call. Awaiting it returns the result; `withResponse` also returns the response's headers. */
export class Call<T> extends Promise<T> {
  readonly #outcome: Promise<Outcome<T>>;

  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  constructor(outcome: Promise<Outcome<T>>) {
    super((resolve) => resolve(undefined as T));
    this.#outcome = outcome;
  }

  /** The result with the status and headers of its response, such as `etag`. */
  withResponse(): Promise<Outcome<T>> {
    return this.#outcome;
  }

  // biome-ignore lint/suspicious/noThenProperty: a promise is what this is
  override then<A = T, B = never>(
    fulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#outcome.then(({ data }) => data).then(fulfilled, rejected);
  }
}

/** One page of a list. Iterating over it yields its items and the items of all later pages. */
export class Page<T> implements AsyncIterable<T> {
  declare readonly data: T[];
  /** The `next_cursor` for the next page; null on the last page. */
  declare readonly next_cursor: string | null;
  readonly #load: (cursor: string) => Promise<Page<T>>;

  constructor(body: object, load: (cursor: string) => Promise<Page<T>>) {
    Object.assign(this, body);
    this.#load = load;
  }

  /** Returns the next page; null after the last. */
  async nextPage(): Promise<Page<T> | null> {
    return this.next_cursor === null ? null : this.#load(this.next_cursor);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (let page: Page<T> | null = this; page; page = await page.nextPage()) yield* page.data;
  }
}

/** A list. Awaiting it returns a page; iterating over it yields the items of all pages. */
export class PageCall<T> extends Call<Page<T>> implements AsyncIterable<T> {
  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    yield* await this;
  }
}

/** Requests a list. Its further pages have the same parameters. */
export function listCall<T>(
  transport: Transport,
  path: string[],
  query?: object,
  options?: RequestOptions,
): PageCall<T> {
  const load = async (given?: object): Promise<Outcome<Page<T>>> => {
    const { data, response } = await transport.json<object>({ method: 'GET', path, query: given }, options);
    const next = async (cursor: string) => (await load({ ...given, next_cursor: cursor })).data;
    return { data: new Page<T>(data, next), response };
  };
  return new PageCall(load(query));
}

export const jsonCall = <T>(transport: Transport, spec: RequestSpec, options?: RequestOptions): Call<T> =>
  new Call(transport.json<T>(spec, options));

export type { Outcome, ResponseInfo };
