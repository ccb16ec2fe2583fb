import { isRecord, textOf, type Value } from '../value.ts';
import { readYaml } from '../yaml-documents.ts';
import { type Rendered, TemplateRenderer } from './render-template.ts';
import { unknown } from './template-functions.ts';
import { readTemplateNodes } from './template-syntax.ts';

/** A Helm chart: its unrendered files. */
export type Chart = { chart: string; values: string; templates: Array<{ path: string; text: string }> };

const maxTemplates = 300;
/** An unknown value in place of a whole part. Nothing may count as missing in it. */
const unknownPart =
  /^\s*\$\{unknown\}\s*$|\b(?:securityContext|resources|limits|capabilities|spec|template|containers|metadata):\s*["']?\$\{unknown\}/m;

/**
 * Renders the templates of a chart with its default values. Nothing is executed: templates whose content depends on
 * something else (the cluster, other functions) are left out.
 */
export function renderChart({ chart, values, templates }: Chart): Array<Rendered & { path: string }> {
  const about = dataOf(chart);
  const name = textOf(isRecord(about) ? about.name : '') || 'release';
  const renderer = new TemplateRenderer();
  const read = templates.slice(0, maxTemplates).flatMap(({ path, text }) => {
    try {
      return [{ path, nodes: readTemplateNodes(text) }];
    } catch {
      return [];
    }
  });
  for (const { nodes } of read) renderer.define(nodes);
  const given = dataOf(values);
  const root = {
    Values: { global: {}, ...(isRecord(given) ? given : {}) },
    Chart: namesOf(about, name),
    Release: { Name: name, Namespace: unknown, Service: 'Helm', IsInstall: true, IsUpgrade: false, Revision: 1 },
    Capabilities: unknown,
    Files: unknown,
    Template: { Name: unknown, BasePath: unknown },
    Subcharts: unknown,
  };
  return read.flatMap(({ path, nodes }) => {
    if (!/\.ya?ml$/.test(path)) return [];
    try {
      const rendered = renderer.render(nodes, root);
      return unknownPart.test(rendered.text) ? [] : [{ path, ...rendered }];
    } catch {
      return [];
    }
  });
}

/** A chart's members are in lower case, but templates use upper case. */
const namesOf = (about: Value, name: string): Value => ({
  Version: '0',
  AppVersion: '0',
  ...Object.fromEntries(
    Object.entries(isRecord(about) ? about : {}).map(([key, value]) => [key[0]?.toUpperCase() + key.slice(1), value]),
  ),
  Name: name,
});

function dataOf(text: string): Value {
  try {
    // This checks depth and aliases.
    return readYaml(text)[0]?.value ?? null;
  } catch {
    return null;
  }
}
