import { gzipSync } from 'node:zlib';

/**
 * Returns the reasons why GitHub code scanning would reject a SARIF file, or show less than it contains, according to
 * its documentation: "SARIF support for code scanning" (required properties, lengths, limits, category of a run) and
 * "Results exceed limit".
 */
export function githubProblemsIn(file: Buffer | string): string[] {
  const problems: string[] = [];
  const check = (holds: boolean, problem: string) => {
    if (!holds) problems.push(problem);
  };
  const isText = (value: unknown, max = Number.POSITIVE_INFINITY) =>
    typeof value === 'string' && value.trim() !== '' && value.length <= max;
  check(gzipSync(file).length <= 10_000_000, 'more than 10 MB compressed');
  const log = JSON.parse(String(file));
  check(isText(log.$schema), '$schema is missing');
  check(log.version === '2.1.0', 'the version is not 2.1.0');
  check(log.runs.length >= 1 && log.runs.length <= 20, `${log.runs.length} runs`);
  const categories = log.runs.map(
    ({ automationDetails, tool }: { automationDetails: { id: string }; tool: { driver: { name: string } } }) =>
      `${tool.driver.name}:${automationDetails.id.slice(0, automationDetails.id.lastIndexOf('/'))}`,
  );
  check(new Set(categories).size === categories.length, 'two runs of one tool and category');
  for (const { tool, results } of log.runs) {
    const { name, rules } = tool.driver;
    check(isText(name), 'a tool without a name');
    check(Array.isArray(rules) && rules.length <= 25_000, `${rules?.length} rules`);
    check((tool.extensions ?? []).length <= 100, 'more than 100 extensions');
    check(results.length <= 25_000, `${results.length} results in a run`);
    check(results.length <= 5_000, `only 5,000 of ${results.length} results in a run are shown`);
    check(new Set(rules.map(({ id }: { id: string }) => id)).size === rules.length, 'two rules with one id');
    for (const rule of rules) {
      const { id, shortDescription, fullDescription, help, properties, defaultConfiguration } = rule;
      check(isText(id), 'a rule without an id');
      check(isText(rule.name, 255), `${id}: name`);
      check(isText(shortDescription?.text, 1_024), `${id}: shortDescription`);
      check(isText(fullDescription?.text, 1_024), `${id}: fullDescription`);
      check(isText(help?.text) && isText(help.markdown), `${id}: help`);
      check(['note', 'warning', 'error'].includes(defaultConfiguration?.level), `${id}: level`);
      check(properties.tags.length <= 10, `${id}: ${properties.tags.length} tags`);
      const score = properties['security-severity'];
      check(score === undefined || (Number(score) > 0 && Number(score) <= 10), `${id}: security-severity ${score}`);
    }
    for (const result of results) {
      const { ruleId, ruleIndex, level, message, locations, relatedLocations = [], partialFingerprints } = result;
      check(rules[ruleIndex]?.id === ruleId, `${ruleId} is not rule ${ruleIndex}`);
      check(isText(message?.text), `${ruleId}: message`);
      check(['note', 'warning', 'error'].includes(level), `${ruleId}: level`);
      check(isText(partialFingerprints?.primaryLocationLineHash), `${ruleId}: primaryLocationLineHash`);
      check(locations?.length >= 1 && locations.length <= 10, `${ruleId}: ${locations?.length} locations`);
      check(relatedLocations.length <= 1_000, `${ruleId}: ${relatedLocations.length} related locations`);
      for (const { physicalLocation } of [...locations, ...relatedLocations]) {
        const { artifactLocation, region } = physicalLocation ?? {};
        const { uri, uriBaseId } = artifactLocation ?? {};
        check(isText(uri) && uriBaseId === '%SRCROOT%', `${ruleId}: a location without a file`);
        check(!/^(?:\/|\.\.|[a-z][a-z0-9+.-]*:)/i.test(uri), `${ruleId}: ${uri} is not relative to the repository`);
        for (const property of ['startLine', 'startColumn', 'endLine', 'endColumn'])
          check(region?.[property] >= 1, `${ruleId}: ${property} ${region?.[property]}`);
        const { startLine, startColumn, endLine, endColumn } = region;
        check(
          endLine > startLine || (endLine === startLine && endColumn >= startColumn),
          `${ruleId}: region ends first`,
        );
      }
    }
  }
  return problems.slice(0, 10);
}
