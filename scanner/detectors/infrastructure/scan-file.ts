import { readCloudFormation } from './cloudformation.ts';
import { readDockerfile } from './dockerfile.ts';
import { looksLikeCloudFormation, looksLikeManifest } from './file-kind.ts';
import { type Chart, renderChart } from './helm/chart.ts';
import type { FileContents, FileKind, InfrastructureRule, Sight } from './rule.ts';
import { rules } from './rules/index.ts';
import { manifestsIn } from './terraform/kubernetes-resources.ts';
import { evaluateTree, type Modules } from './terraform/module-tree.ts';
import { readTerraform, type TerraformBlock } from './terraform.ts';
import { readYaml, type YamlDocument } from './yaml-documents.ts';

type Found = { rule: InfrastructureRule; sight: Sight };

/** A rule with more hits in a file than are reported; without the path if the caller knows it. */
export type Cut = { ruleId: string; path?: string };

export type Checked = { found: Found[]; cut: Cut[] };

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
export const maxSightsPerRule = 500;

/** Reads a file and runs the rules of its kind. Throws an Error whose message says why and where it can't be read. */
export async function scanFile(kind: FileKind, text: string): Promise<Checked> {
  const contents = await readers[kind](text);
  if (contents === null) return { found: [], cut: [] };
  const checked = runRules(kind, contents);
  if (kind !== 'terraform') return checked;
  const workloads = scanWorkloads(contents as TerraformBlock[]);
  return { found: [...checked.found, ...workloads.found], cut: [...checked.cut, ...workloads.cut] };
}

/**
 * Checks a Terraform module and the modules that it calls. Problems that several calls or instances of a block have in
 * common are reported once.
 */
export function scanTerraformTree(modules: Modules, root: string): Checked {
  const unique = new Map<string, Found>();
  const cut: Cut[] = [];
  for (const blocks of evaluateTree(modules, root)) {
    const checked = runRules('terraform', blocks);
    const workloads = scanWorkloads(blocks);
    cut.push(...checked.cut, ...workloads.cut);
    for (const found of [...checked.found, ...workloads.found]) {
      const { path, startLine, resource } = found.sight;
      const key = JSON.stringify([path, startLine, found.rule.id, resource]);
      if (!unique.has(key)) unique.set(key, found);
    }
  }
  return { found: [...unique.values()], cut: distinct(cut) };
}

/** Checks the rendered manifests of a chart and reports problems at the lines of its templates. */
export function scanChart(chart: Chart): Checked {
  const all: Checked = { found: [], cut: [] };
  for (const { path, text, lines } of renderChart(chart)) {
    const lineOf = (line: number) => lines[line - 1] ?? lines.slice(0, line).findLast(Boolean) ?? 1;
    for (const documents of manifestsOf(text)) {
      const { found, cut } = runRules('kubernetes', documents);
      all.cut.push(...cut.map(({ ruleId }) => ({ ruleId, path })));
      for (const { rule, sight } of found) {
        const startLine = lineOf(sight.startLine);
        const endLine = Math.max(startLine, lineOf(sight.endLine));
        all.found.push({ rule, sight: { ...sight, path, startLine, endLine } });
      }
    }
  }
  return all;
}

/** With values other than the defaults, the output of a template may not be YAML. */
function manifestsOf(text: string): YamlDocument[][] {
  try {
    return looksLikeManifest(text) ? [readYaml(text)] : [];
  } catch {
    return [];
  }
}

/** Checks the workloads that Terraform starts in Kubernetes as if they were manifests. */
function scanWorkloads(blocks: TerraformBlock[]): Checked {
  const all: Checked = { found: [], cut: [] };
  for (const { block, document } of manifestsIn(blocks)) {
    const { found, cut } = runRules('kubernetes', [document]);
    const place = block.path === undefined ? {} : { path: block.path };
    all.cut.push(...cut.map(({ ruleId }) => ({ ruleId, ...place })));
    all.found.push(...found.map(({ rule, sight }) => ({ rule, sight: { ...sight, ...place } })));
  }
  return all;
}

function runRules(kind: FileKind, contents: FileContents[FileKind] | TerraformBlock[]): Checked {
  const all: Checked = { found: [], cut: [] };
  for (const rule of byKind.get(kind) ?? []) {
    const sights = (rule as InfrastructureRule<FileKind>).find(contents as never);
    for (const sight of sights.slice(0, maxSightsPerRule)) all.found.push({ rule: rule as InfrastructureRule, sight });
    // The problems of a Terraform module are in several files.
    all.cut.push(...distinct(sights.slice(maxSightsPerRule).map(({ path }) => ({ ruleId: rule.id, path }))));
  }
  return all;
}

const distinct = (cut: Cut[]): Cut[] => [...new Map(cut.map((one) => [`${one.ruleId} ${one.path}`, one])).values()];
