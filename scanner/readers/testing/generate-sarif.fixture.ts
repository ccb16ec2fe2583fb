/** Yields a SARIF file of any size, piece by piece, similar to a large scan, with one rule per hundred results. */
export async function* generateSarif(results: number, { toolLast = false } = {}): AsyncGenerator<Buffer> {
  const rules = Array.from({ length: 100 }, (_, index) => ({
    id: `rule-${index}`,
    shortDescription: { text: `Weakness number ${index}` },
    fullDescription: { text: `What is wrong with number ${index}, in a sentence of some length.` },
    helpUri: `https://example.com/rules/${index}`,
    properties: { tags: ['security', `external/cwe/cwe-${index + 20}`], 'security-severity': `${(index % 10) + 0.5}` },
  }));
  const tool = JSON.stringify({ driver: { name: 'Generator', rules } });
  yield Buffer.from(`{"version":"2.1.0","runs":[{${toolLast ? '' : `"tool":${tool},`}"results":[`);
  for (let start = 0; start < results; start += 500) {
    const texts: string[] = [];
    for (let at = start; at < Math.min(results, start + 500); at += 1) texts.push(JSON.stringify(resultAt(at)));
    yield Buffer.from((start === 0 ? '' : ',') + texts.join(','));
  }
  yield Buffer.from(`]${toolLast ? `,"tool":${tool}` : ''}}]}`);
}

function resultAt(at: number): object {
  const line = (at % 900) + 1;
  return {
    ruleId: `rule-${at % 100}`,
    ruleIndex: at % 100,
    message: { text: `Unsanitized input from a request parameter flows into a query, result ${at}.` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: `src/module-${at % 2_000}/file-${at % 31}.ts`, uriBaseId: '%SRCROOT%' },
          region: {
            startLine: line,
            startColumn: 5,
            endColumn: 60,
            snippet: { text: `    const rows = await database.query('SELECT * FROM table_${at} WHERE id = ' + id);` },
          },
        },
      },
    ],
    properties: { precision: 'high', confidence: 0.9 },
  };
}
