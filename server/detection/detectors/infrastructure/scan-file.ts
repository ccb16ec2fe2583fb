import { readCloudFormation } from './cloudformation.ts';
import { readDockerfile } from './dockerfile.ts';
import { looksLikeCloudFormation, looksLikeManifest } from './file-kind.ts';
import { type Chart, renderChart } from './helm/chart.ts';
import type { FileContents, FileKind, InfrastructureRule, Sight } from './rule.ts';
import { rules } from './rules/index.ts';
import { evaluateTree, type Modules } from './terraform/module-tree.ts';
import { readTerraform, type TerraformBlock } from './terraform.ts';
import { readYaml, type YamlDocument } from './yaml-documents.ts';

export type Found = { rule: InfrastructureRule; sight: Sight };

type Readers = { [Kind in FileKind]: (text: string) => Promise<FileContents[Kind]> | FileContents[Kind] | null };

const single = (text: string) => readYaml(text)[0] ?? null;
const readers: Readers = {
  dockerfile: readDockerfile,
  compose: single,
  kubernetes: (text) => (looksLikeManifest(text) ? readYaml(text) : null),
  terraform: async (text) => {
    const modules = { '': [{ ...(await readTerraform(text)), path: '' }] };
    return evaluateTree(modules, '')[0]!;
  },
  cloudformation: (text) => (looksLikeCloudFormation(text) ? readCloudFormation(text) : null),
  'github-actions': single,
  'gitlab-ci': single,
} as Readers;

const byKind = Map.groupBy(rules, ({ kind }) => kind);
const maxSightsPerRule = 500;

/** Reads a file and runs the rules of its kind. Throws an Error whose message says why, and where, it can't be read. */
export async function scanFile(kind: FileKind, text: string): Promise<Found[]> {
  const contents = await readers[kind](text);
  if (contents === null) return [];
  return runRules(kind, contents);
}

/** Checks a Terraform module and those that it calls. What several calls or instances of a block have in common is reported once. */
export function scanTerraformTree(modules: Modules, root: string): Found[] {
  const unique = new Map<string, Found>();
  for (const blocks of evaluateTree(modules, root)) {
    for (const found of runRules('terraform', blocks)) {
      const { path, startLine, resource } = found.sight;
      const key = JSON.stringify([path, startLine, found.rule.id, resource]);
      if (!unique.has(key)) unique.set(key, found);
    }
  }
  return [...unique.values()];
}

/** Checks the manifests that a chart makes, at the lines of its templates. */
export function scanChart(chart: Chart): Found[] {
  return renderChart(chart).flatMap(({ path, text, lines }) => {
    const lineOf = (line: number) => lines[line - 1] ?? lines.slice(0, line).findLast(Boolean) ?? 1;
    return manifestsOf(text).flatMap((documents) =>
      runRules('kubernetes', documents).map(({ rule, sight }) => {
        const startLine = lineOf(sight.startLine);
        return { rule, sight: { ...sight, path, startLine, endLine: Math.max(startLine, lineOf(sight.endLine)) } };
      }),
    );
  });
}

/** What a template makes may be no YAML with other values than its defaults. */
function manifestsOf(text: string): YamlDocument[][] {
  try {
    return looksLikeManifest(text) ? [readYaml(text)] : [];
  } catch {
    return [];
  }
}

const runRules = (kind: FileKind, contents: FileContents[FileKind] | TerraformBlock[]): Found[] =>
  (byKind.get(kind) ?? []).flatMap((rule) =>
    (rule as InfrastructureRule<FileKind>)
      .find(contents as never)
      .slice(0, maxSightsPerRule)
      .map((sight) => ({ rule: rule as InfrastructureRule, sight })),
  );
