import type { PageCall } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { AuditEventListParams } from '../params.ts';
import { Resource } from '../resource.ts';
import type { AuditEvent } from '../schema.ts';

/** The audit log: who changed what, when, and from where. */
export class AuditEvents extends Resource {
  list(params?: AuditEventListParams, options?: RequestOptions): PageCall<AuditEvent> {
    return this.pages(['audit-events'], params, options);
  }
}
