import type { Call, PageCall } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type {
  BodyOf,
  FailedSignInListParams,
  PasskeyDeleteParams,
  PasskeyListParams,
  SessionListParams,
  TokenListParams,
} from '../params.ts';
import { Resource } from '../resource.ts';
import type {
  ApiToken,
  EmailChange,
  FailedSignIn,
  NewApiToken,
  Passkey,
  PasskeyUpdate,
  PasswordChange,
  PasswordConfirmation,
  Preferences,
  PreferencesInput,
  Profile as ProfileBody,
  RecoveryCodes,
  Session,
  TwoFactorCode,
  TwoFactorRemoval,
  TwoFactorSetup,
} from '../schema.ts';

/** Your API tokens: for a session of the console only, since a token can't make tokens. */
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

/** Your sessions: the browsers in which you are signed in. */
export class Sessions extends Resource {
  list(params?: SessionListParams, options?: RequestOptions): PageCall<Session> {
    return this.pages(['profile', 'sessions'], params, options);
  }

  /** Ends a session. */
  delete(id: string, options?: RequestOptions): Call<void> {
    return this.call({ method: 'DELETE', path: ['profile', 'sessions', id] }, options);
  }

  /** Ends all sessions but this one. */
  deleteOthers(options?: RequestOptions): Call<void> {
    return this.call({ method: 'DELETE', path: ['profile', 'sessions'] }, options);
  }

  /** Attempts to sign in as you that failed. */
  failedSignIns(params?: FailedSignInListParams, options?: RequestOptions): PageCall<FailedSignIn> {
    return this.pages(['profile', 'failed-sign-ins'], params, options);
  }
}

/** The second factor of your sign-in. */
export class TwoFactor extends Resource {
  /** Returns a secret for an authenticator, and recovery codes. `confirm` turns the second factor on. */
  setUp(params: PasswordConfirmation, options?: RequestOptions): Call<TwoFactorSetup> {
    return this.call({ method: 'POST', path: ['profile', 'two-factor'], json: params }, options);
  }

  /** Turns the second factor on, by a code of the authenticator. */
  confirm(params: TwoFactorCode, options?: RequestOptions): Call<void> {
    return this.call({ method: 'POST', path: ['profile', 'two-factor', 'confirm'], json: params }, options);
  }

  /** Removes the second factor. */
  remove(params: TwoFactorRemoval, options?: RequestOptions): Call<void> {
    return this.call({ method: 'POST', path: ['profile', 'two-factor', 'remove'], json: params }, options);
  }

  /** Replaces the recovery codes. */
  renewRecoveryCodes(params: PasswordConfirmation, options?: RequestOptions): Call<RecoveryCodes> {
    return this.call({ method: 'POST', path: ['profile', 'two-factor', 'recovery-codes'], json: params }, options);
  }
}

/** The passkeys with which you sign in. */
export class Passkeys extends Resource {
  list(params?: PasskeyListParams, options?: RequestOptions): PageCall<Passkey> {
    return this.pages(['profile', 'passkeys'], params, options);
  }

  /** Renames a passkey. */
  update(id: string, params: PasskeyUpdate, options?: RequestOptions): Call<Passkey> {
    return this.call({ method: 'PATCH', path: ['profile', 'passkeys', id], json: params }, options);
  }

  /** Removes a passkey, and what else `params` say. */
  delete(id: string, params?: PasskeyDeleteParams, options?: RequestOptions): Call<void> {
    return this.call({ method: 'DELETE', path: ['profile', 'passkeys', id], query: params }, options);
  }
}

/** Your preferences in the console. */
export class PreferencesResource extends Resource {
  get(options?: RequestOptions): Call<Preferences> {
    return this.call({ method: 'GET', path: ['profile', 'preferences'] }, options);
  }

  /** Replaces all preferences. */
  replace(params: PreferencesInput, options?: RequestOptions): Call<Preferences> {
    return this.call({ method: 'PUT', path: ['profile', 'preferences'], json: params }, options);
  }
}

/** The person who calls: for a session of the console only. */
export class Profile extends Resource {
  readonly tokens = new Tokens(this.transport);
  readonly preferences = new PreferencesResource(this.transport);
  readonly passkeys = new Passkeys(this.transport);
  readonly sessions = new Sessions(this.transport);
  readonly twoFactor = new TwoFactor(this.transport);

  get(options?: RequestOptions): Call<ProfileBody> {
    return this.call({ method: 'GET', path: ['profile'] }, options);
  }

  update(params: BodyOf<'updateProfile'>, options?: RequestOptions): Call<ProfileBody> {
    return this.call({ method: 'PATCH', path: ['profile'], json: params }, options);
  }

  /** Changes the password, and ends all other sessions. */
  changePassword(params: PasswordChange, options?: RequestOptions): Call<void> {
    return this.call({ method: 'PUT', path: ['profile', 'password'], json: params }, options);
  }

  /** Changes the email address, once its new owner confirms it. */
  changeEmail(params: EmailChange, options?: RequestOptions): Call<void> {
    return this.call({ method: 'POST', path: ['profile', 'email'], json: params }, options);
  }
}
