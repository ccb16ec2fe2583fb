import type { Call, PageCall } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { BodyOf, TokenListParams } from '../params.ts';
import { Resource } from '../resource.ts';
import type { ApiToken, NewApiToken, Profile as ProfileBody } from '../schema.ts';

/** One's API tokens: for a session of the console only, since a token can't make tokens. */
export class Tokens extends Resource {
  list(params?: TokenListParams, options?: RequestOptions): PageCall<ApiToken> {
    return this.pages(['profile', 'tokens'], params, options);
  }

  /** Makes a token, which is shown this once. */
  create(params: BodyOf<'createToken'>, options?: RequestOptions): Call<NewApiToken> {
    return this.call({ method: 'POST', path: ['profile', 'tokens'], json: params }, options);
  }

  delete(id: string, options?: RequestOptions): Call<void> {
    return this.call({ method: 'DELETE', path: ['profile', 'tokens', id] }, options);
  }
}

/** The person who calls: for a session of the console only. */
export class Profile extends Resource {
  readonly tokens = new Tokens(this.transport);

  get(options?: RequestOptions): Call<ProfileBody> {
    return this.call({ method: 'GET', path: ['profile'] }, options);
  }

  update(params: BodyOf<'updateProfile'>, options?: RequestOptions): Call<ProfileBody> {
    return this.call({ method: 'PATCH', path: ['profile'], json: params }, options);
  }
}
