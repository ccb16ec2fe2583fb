import type { DataSourceKind } from '@assay/scanner/contract/detector.ts';
import { type SandboxStatus, sandboxStatus } from '@assay/scanner/platform/sandbox/sandbox.ts';
import { listTools } from './index.ts';
import { toolSettings } from './tool-settings.ts';

const wholeNetwork = 'It connects to the checked address by itself, so it can reach the whole network.';

/**
 * Returns how the programs of a detection source are confined: according to the workers' reports, or else to this
 * process. Null for a source that starts none. Git, which reads repositories, and scanners are programs.
 */
export async function sandboxOf(type: string, kinds: readonly DataSourceKind[]): Promise<SandboxStatus | null> {
  const scanner = listTools().find((tool) => tool.type === type);
  if (!scanner && !kinds.includes('git_repository')) return null;
  const { readReports } = toolSettings();
  const found = readReports ? (await readReports()).sandbox : sandboxStatus();
  if (scanner?.tool.network !== 'address' || found?.status !== 'active') return found;
  return { ...found, status: 'partial', reason: wholeNetwork };
}
