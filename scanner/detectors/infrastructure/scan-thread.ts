import { parentPort } from 'node:worker_threads';
import type { Chart } from './helm/chart.ts';
import type { FileKind } from './rule.ts';
import { type Checked, scanChart, scanFile, scanTerraformTree } from './scan-file.ts';
import type { Modules } from './terraform/module-tree.ts';
import { readTerraform } from './terraform.ts';

/** A request to the thread; see file-scanner.ts. */
export type ScanRequest =
  | { action: 'scan'; kind: FileKind; text: string }
  | { action: 'scan-chart'; chart: Chart }
  | { action: 'read-terraform'; text: string }
  | { action: 'scan-terraform'; modules: Modules; root: string };

const outcomeOf = ({ found, cut }: Checked) => ({
  hits: found.map(({ rule, sight }) => ({ ruleId: rule.id, sight })),
  cut,
});

async function perform(request: ScanRequest) {
  switch (request.action) {
    case 'scan':
      return outcomeOf(await scanFile(request.kind, request.text));
    case 'scan-chart':
      return outcomeOf(scanChart(request.chart));
    case 'read-terraform':
      return { file: await readTerraform(request.text) };
    case 'scan-terraform':
      return outcomeOf(scanTerraformTree(request.modules, request.root));
  }
}

parentPort?.on('message', async (request: ScanRequest) => {
  try {
    parentPort?.postMessage(await perform(request));
  } catch (error) {
    parentPort?.postMessage({ problem: (error as Error).message });
  }
});
