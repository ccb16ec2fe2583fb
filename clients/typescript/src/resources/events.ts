import { followEvents, type OrganizationEvent } from '../events.ts';
import type { RequestOptions } from '../options.ts';
import { Resource } from '../resource.ts';

/** Events: the changes in the organization, as they happen. */
export class Events extends Resource {
  /**
   * Yields the events of the organization indefinitely: `scan`, `report`, `bulk_operation`, `decision`, `findings` and
   * `reset`. It reconnects for as long as the service is unavailable, regardless of `maxRetries`, and continues after
   * the last event. Keep the `id` of the last event that you have processed, and pass it as `lastEventId` to resume
   * there within an hour. Leaving the loop, aborting the signal or a permanent error, such as a revoked token, ends it.
   */
  follow(options?: RequestOptions & { lastEventId?: string | undefined }): AsyncGenerator<OrganizationEvent> {
    return followEvents(this.transport, ['events'], null, options) as AsyncGenerator<OrganizationEvent>;
  }
}
