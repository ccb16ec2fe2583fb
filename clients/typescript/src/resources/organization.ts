import type { Call, PageCall } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type {
  BodyOf,
  InvitationListParams,
  MemberListParams,
  MemberSessionListParams,
  MemberTokenListParams,
} from '../params.ts';
import { Resource } from '../resource.ts';
import type {
  ApiToken,
  Installation,
  Invitation,
  Member,
  NewInvitation,
  Organization as OrganizationBody,
  OrganizationUpdate,
  Policy,
  PolicyReplacement,
  Session,
} from '../schema.ts';

/** The members of the organization. */
export class Members extends Resource {
  list(params?: MemberListParams, options?: RequestOptions): PageCall<Member> {
    return this.pages(['organization', 'members'], params, options);
  }

  update(id: string, params: BodyOf<'updateMember'>, options?: RequestOptions): Call<Member> {
    return this.call({ method: 'PATCH', path: ['organization', 'members', id], json: params }, options);
  }

  delete(id: string, options?: RequestOptions): Call<void> {
    return this.call({ method: 'DELETE', path: ['organization', 'members', id] }, options);
  }

  /** Lists the API tokens that a member has in this organization, newest first. */
  tokens(id: string, params?: MemberTokenListParams, options?: RequestOptions): PageCall<ApiToken> {
    return this.pages(['organization', 'members', id, 'tokens'], params, options);
  }

  /** Revokes an API token of a member. */
  deleteToken(id: string, tokenId: string, options?: RequestOptions): Call<void> {
    return this.call({ method: 'DELETE', path: ['organization', 'members', id, 'tokens', tokenId] }, options);
  }

  /** Lists the sessions of a member that reach this organization, newest first. */
  sessions(id: string, params?: MemberSessionListParams, options?: RequestOptions): PageCall<Session> {
    return this.pages(['organization', 'members', id, 'sessions'], params, options);
  }

  /** Signs a member out of this organization. */
  endSessions(id: string, options?: RequestOptions): Call<void> {
    return this.call({ method: 'DELETE', path: ['organization', 'members', id, 'sessions'] }, options);
  }
}

/** Invitations to the organization. */
export class Invitations extends Resource {
  list(params?: InvitationListParams, options?: RequestOptions): PageCall<Invitation> {
    return this.pages(['organization', 'invitations'], params, options);
  }

  /** Invites a person by mail. */
  create(params: BodyOf<'createInvitation'>, options?: RequestOptions): Call<NewInvitation> {
    return this.call({ method: 'POST', path: ['organization', 'invitations'], json: params }, options);
  }

  delete(id: string, options?: RequestOptions): Call<void> {
    return this.call({ method: 'DELETE', path: ['organization', 'invitations', id] }, options);
  }

  /** Sends an invitation again, with a new link. */
  resend(id: string, options?: RequestOptions): Call<NewInvitation> {
    return this.call({ method: 'POST', path: ['organization', 'invitations', id, 'resend'] }, options);
  }
}

/** The organization that the token belongs to. */
export class Organization extends Resource {
  readonly members = new Members(this.transport);
  readonly invitations = new Invitations(this.transport);

  get(options?: RequestOptions): Call<OrganizationBody> {
    return this.call({ method: 'GET', path: ['organization'] }, options);
  }

  /** Renames the organization. */
  update(params: OrganizationUpdate, options?: RequestOptions): Call<OrganizationBody> {
    return this.call({ method: 'PATCH', path: ['organization'], json: params }, options);
  }

  /** The days to fix findings and the conditions for accepting risks. */
  policy(options?: RequestOptions): Call<Policy> {
    return this.call({ method: 'GET', path: ['organization', 'policy'] }, options);
  }

  /** Checks the installation, for owners of the organization that runs it. */
  installation(options?: RequestOptions): Call<Installation> {
    return this.call({ method: 'GET', path: ['organization', 'installation'] }, options);
  }

  replacePolicy(params: PolicyReplacement, options?: RequestOptions): Call<Policy> {
    return this.call({ method: 'PUT', path: ['organization', 'policy'], json: params }, options);
  }
}
