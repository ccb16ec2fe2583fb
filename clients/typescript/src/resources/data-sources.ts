import type { Call, PageCall } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { DataSourceListParams, DataSourceSuggestionListParams } from '../params.ts';
import { Resource } from '../resource.ts';
import type {
  ConnectionTest,
  DataSource,
  DataSourceCreation,
  DataSourceSuggestion,
  DataSourceUpdate,
} from '../schema.ts';

/** Data sources: the targets of scans and imports. */
export class DataSources extends Resource {
  list(params?: DataSourceListParams, options?: RequestOptions): PageCall<DataSource> {
    return this.pages(['data-sources'], params, options);
  }

  create(params: DataSourceCreation, options?: RequestOptions): Call<DataSource> {
    return this.call({ method: 'POST', path: ['data-sources'], json: params }, options);
  }

  /** Tries a configuration without saving it. A failure is a result, not an error. */
  test(params: DataSourceCreation, options?: RequestOptions): Call<ConnectionTest> {
    return this.call({ method: 'POST', path: ['data-sources', 'test'], json: params }, options);
  }

  /** Data sources that can be added as they are, such as the sample repository. */
  suggestions(params?: DataSourceSuggestionListParams, options?: RequestOptions): PageCall<DataSourceSuggestion> {
    return this.pages(['data-sources', 'suggestions'], params, options);
  }

  get(id: string, options?: RequestOptions): Call<DataSource> {
    return this.call({ method: 'GET', path: ['data-sources', id] }, options);
  }

  update(id: string, params: DataSourceUpdate, options?: RequestOptions): Call<DataSource> {
    return this.call({ method: 'PATCH', path: ['data-sources', id], json: params }, options);
  }

  delete(id: string, options?: RequestOptions): Call<void> {
    return this.call({ method: 'DELETE', path: ['data-sources', id] }, options);
  }
}
