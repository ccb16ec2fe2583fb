import { posix } from 'node:path';
import type { FileResult, FileScanner, Hit } from './file-scanner.ts';
import type { Chart } from './helm/chart.ts';

/** Charts are rendered once all of their files are known; templates beyond this much text are left out. */
const maxBytes = 16 * 1024 * 1024;
/** After this many charts that can't be rendered in time, the rest are left out. */
const maxGivenUp = 5;

/** The Helm charts of a repository. */
export class HelmCharts {
  readonly #scanner: FileScanner;
  readonly #charts = new Map<string, Chart>();
  readonly #templates: Chart['templates'] = [];
  #bytes = 0;

  constructor(scanner: FileScanner) {
    this.#scanner = scanner;
  }

  /** Adds a file if it is part of a chart. Returns whether it is: it is then not a manifest by itself. */
  add(path: string, text: string): boolean {
    const name = posix.basename(path);
    if (name !== 'Chart.yaml' && name !== 'values.yaml' && !isTemplate(path, text)) return false;
    this.#bytes += text.length;
    if (this.#bytes > maxBytes) return true;
    if (name === 'Chart.yaml') this.#chart(posix.dirname(path)).chart = text;
    else if (name === 'values.yaml') this.#chart(posix.dirname(path)).values = text;
    else this.#templates.push({ path, text });
    return true;
  }

  #chart(directory: string): Chart {
    const chart = this.#charts.get(directory) ?? { chart: '', values: '', templates: [] };
    this.#charts.set(directory, chart);
    return chart;
  }

  /** Renders the charts with their default values, and yields the results of the templates that could be rendered. */
  async *scan(): AsyncGenerator<FileResult> {
    for (const template of this.#templates) {
      const directory = template.path.replace(/(?:^|\/)templates\/.*$/, '') || '.';
      this.#charts.get(directory)?.templates.push(template);
    }
    let givenUp = 0;
    for (const chart of this.#charts.values()) {
      if (chart.chart === '' || chart.templates.length === 0 || givenUp >= maxGivenUp) continue;
      const outcome = await this.#scanner.scanChart(chart);
      if ('problem' in outcome) givenUp++;
      else {
        for (const [path, hits] of byPath(outcome.hits)) {
          const cut = outcome.cut.filter((one) => one.path === path).map(({ ruleId }) => ruleId);
          yield { path, hits, cut };
        }
      }
    }
  }
}

const byPath = (hits: Hit[]) => Map.groupBy(hits, ({ sight }) => sight.path ?? '');

const isTemplate = (path: string, text: string): boolean =>
  /(?:^|\/)templates\/(?:.*\/)?[^/]+\.(?:ya?ml|tpl)$/.test(path) && text.includes('{{');
