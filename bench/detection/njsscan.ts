import { type Case, readFamilies } from './cases.ts';
import type { Outcome } from './measure-detection.ts';
import { installPythonTool, type PythonTool, runOnCases } from './python-tool.ts';

const tool: PythonTool = { title: 'njsscan', name: 'njsscan', version: '1.0.2' };

type Rules = Record<string, { files?: Array<{ file_path: string }>; metadata: { cwe?: string } }>;
type Report = { nodejs?: Rules; templates?: Rules };

/** Runs njsscan, which contains its rules for Semgrep, on the cases in JavaScript; null when it can't be installed. */
export async function checkWithNjsscan(cases: Case[]): Promise<Outcome[] | null> {
  const program = await installPythonTool(tool);
  if (program === null) return null;
  const report = JSON.parse(await runOnCases(tool, program, cases, (folder) => ['--json', folder])) as Report;
  const found = [report.nodejs, report.templates].flatMap((rules) =>
    Object.values(rules ?? {}).flatMap(({ files = [], metadata }) =>
      files.map(({ file_path }) => ({ path: file_path, cwe: Number(/CWE-(\d+)/i.exec(metadata.cwe ?? '')?.[1]) })),
    ),
  );
  const families = readFamilies();
  return cases.map((test) => ({
    test,
    found: found.some(
      ({ path, cwe }) => path.endsWith(`/${test.name}.${test.extension}`) && families[test.family]!.includes(cwe),
    ),
  }));
}
