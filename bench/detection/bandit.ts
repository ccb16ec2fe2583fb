import { type Case, readFamilies } from './cases.ts';
import type { Outcome } from './measure-detection.ts';
import { installPythonTool, type PythonTool, runOnCases } from './python-tool.ts';

const tool: PythonTool = { title: 'Bandit', name: 'bandit', version: '1.9.4' };

type Report = { results: Array<{ filename: string; issue_cwe: { id?: number } }> };

/** Runs Bandit on the cases in Python; null when it can't be installed. */
export async function checkWithBandit(cases: Case[]): Promise<Outcome[] | null> {
  const program = await installPythonTool(tool);
  if (program === null) return null;
  const output = await runOnCases(tool, program, cases, (folder) => ['-r', folder, '-f', 'json', '-q']);
  const { results } = JSON.parse(output) as Report;
  const families = readFamilies();
  return cases.map((test) => ({
    test,
    found: results.some(
      ({ filename, issue_cwe }) =>
        filename.endsWith(`/${test.name}.${test.extension}`) && families[test.family]!.includes(issue_cwe.id ?? 0),
    ),
  }));
}
