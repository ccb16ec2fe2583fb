import { toRule } from '../../detection/path-scan/output/sarif-parts.ts';
import manifest from '../../package.json' with { type: 'json' };
import type { ReportFinding, ReportHead, ReportModel } from '../report-model.ts';
import type { ReportWriter } from './format.ts';
import { jsonText } from './json-text.ts';
import { inPieces, jsonList } from './pieces.ts';
import { type RulePlace, toResult } from './sarif-result.ts';

/** Rules are held until the end of the file: 8 MiB of them, some 10,000. A result of a later one tells its id alone. */
const mostBytes = 8 * 1024 * 1024;

/**
 * SARIF 2.1.0 (OASIS): one run with one result for each finding, and then the tool: Assay, with one extension for each
 * detection source that holds its rules as the gravest of their findings tells them.
 *
 * Everything that is closed is suppressed from outside, with the newest comment as its justification, because most readers
 * (GitHub among them) take a result that is not suppressed for an open one. `baselineState` compares with the beginning of
 * the report's period: what was first seen since is `new`, the rest `unchanged`, and what is resolved is also `absent`, so
 * that readers that know it, Assay's own among them, take a resolved finding for no result at all. All places of a finding are its
 * `locations`; its id is its fingerprint, for the same may stand in two data sources. Paths are relative to the data source.
 */
export const writeSarif: ReportWriter = (report) => inPieces(textOf(report));

async function* textOf({ head, findings }: ReportModel): AsyncGenerator<Iterable<string>> {
  const start = `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{${members(aboutRun(head))},\n"results":[`;
  const rules = new RuleTable();
  yield* jsonList(start, findings, (finding) => jsonText(toResult(finding, rules.placeOf(finding), head)));
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

/** The tool as JSON, a piece for each extension and rule. */
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

  /** The place of a finding's rule, which becomes known by its first finding. */
  placeOf(finding: ReportFinding): RulePlace {
    const component = this.#component(finding.source);
    let known = component.rules.get(finding.rule.id);
    if (!known) {
      if (this.#bytes > mostBytes) return null;
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
