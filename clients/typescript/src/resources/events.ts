import { followEvents, type ServerEvent } from '../events.ts';
import type { RequestOptions } from '../options.ts';
import { Resource } from '../resource.ts';

/** What happens in the organization. */
export class Events extends Resource {
  /**
   * Yields the events of the organization without end: `scan`, `report`, `bulk_operation`, `findings` and `reset`. After
   * an interruption it resumes behind the last event. Leaving the loop ends it.
   */
  follow(options?: RequestOptions): AsyncGenerator<ServerEvent<Record<string, unknown>>> {
    return followEvents(this.transport, ['events'], null, options);
  }
}
