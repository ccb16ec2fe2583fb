import { toRule } from '@assay/scanner/path-scan/output/sarif-parts.ts';
import manifest from '../../package.json' with { type: 'json' };
import type { ReportFinding, ReportHead, ReportModel } from '../report-model.ts';
import type { ReportWriter } from './format.ts';
import { jsonText } from './json-text.ts';
import { inPieces, jsonList } from './pieces.ts';
import { type RulePlace, toResult } from './sarif-result.ts';

/**
 * Rules are kept in memory until the end of the file: 8 MiB, about 10,000 rules. Results of later rules have only the
 * rule's id.
 */
const maxRuleBytes = 8 * 1024 * 1024;

/**
 * Writes SARIF 2.1.0 (OASIS): one run with a result for each finding, then the tool: Assay, with an extension for each
 * detection source. An extension contains its rules, described by their most severe findings.
 *
 * Closed findings have an external suppression with the newest comment as its justification, because most readers, such
 * as GitHub, treat a result without suppression as open. `baselineState` compares with the start of the report's
 * period: findings first seen since then are `new`, the others `unchanged`. Resolved findings are `absent`, so that
 * readers that support it, such as Assay's own, skip them. All places of a finding are its `locations`, its page in the console is
 * its `hostedViewerUri`. Its id is its
 * fingerprint, because the same problem may be in two data sources. Paths are relative to the data source.
 */
export const writeSarif: ReportWriter = (report, { baseUrl = null } = {}) => inPieces(textOf(report, baseUrl));

async function* textOf({ head, findings }: ReportModel, baseUrl: string | null): AsyncGenerator<Iterable<string>> {
  const start = `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{${members(aboutRun(head))},\n"results":[`;
  const rules = new RuleTable();
  yield* jsonList(start, findings, (finding) => jsonText(toResult(finding, rules.placeOf(finding), { head, baseUrl })));
  yield ['],\n"tool":'];
  yield toolText(rules, head);
  yield ['}]}\n'];
}

const members = (value: object): string => jsonText(value).slice(1, -1);

const aboutRun = (head: ReportHead) => ({
  automationDetails: { id: `assay/${head.id}`, description: { text: head.title } },
  columnKind: 'utf16CodeUnits',
  invocations: [{ executionSuccessful: true, endTimeUtc: head.taken_at }],
  properties: { report: head },
});

/** Yields the tool as JSON, a piece for each extension and rule. */
function* toolText(rules: RuleTable, head: ReportHead): Generator<string> {
  yield jsonText({ driver: { name: 'Assay', version: manifest.version, semanticVersion: manifest.version } }).slice(
    0,
    -1,
  );
  yield ',"extensions":[';
  for (const [source, { index, rules: own }] of rules.components) {
    const about = jsonText({ name: head.source_names[source] ?? source, properties: { source } });
    yield `${index === 0 ? '' : ','}\n${about.slice(0, -1)},"rules":[`;
    for (const rule of own.values()) yield `${rule.index === 0 ? '' : ','}\n${rule.text}`;
    yield ']}';
  }
  yield ']}';
}

type Component = { index: number; rules: Map<string, { index: number; text: string }> };

class RuleTable {
  components = new Map<string, Component>();
  #bytes = 0;

  /** Returns the place of a finding's rule; the first finding of a rule adds it. */
  placeOf(finding: ReportFinding): RulePlace {
    const component = this.#component(finding.source);
    let known = component.rules.get(finding.rule.id);
    if (!known) {
      if (this.#bytes > maxRuleBytes) return null;
      known = { index: component.rules.size, text: jsonText(toRule(finding)) };
      this.#bytes += Buffer.byteLength(known.text);
      component.rules.set(finding.rule.id, known);
    }
    return { component: component.index, rule: known.index };
  }

  #component(source: string): Component {
    const known = this.components.get(source);
    if (known) return known;
    const component = { index: this.components.size, rules: new Map() };
    this.components.set(source, component);
    return component;
  }
}
