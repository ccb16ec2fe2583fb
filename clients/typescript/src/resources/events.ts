import { followEvents, type OrganizationEvent } from '../events.ts';
import type { RequestOptions } from '../options.ts';
import { Resource } from '../resource.ts';

/** Events: what happens in the organization, as it happens. */
export class Events extends Resource {
  /**
   * Yields the events of the organization without end: `scan`, `report`, `bulk_operation`, `findings` and `reset`. It
   * connects again for as long as the service is away, whatever `maxRetries` is, and goes on behind the last event. Keep
   * the `id` of the last event that you have processed, and pass it as `lastEventId` to resume there within an hour.
   * Leaving the loop or aborting the signal ends it, and so does an error that does not pass, such as a revoked token.
   */
  follow(options?: RequestOptions & { lastEventId?: string | undefined }): AsyncGenerator<OrganizationEvent> {
    return followEvents(this.transport, ['events'], null, options) as AsyncGenerator<OrganizationEvent>;
  }
}
