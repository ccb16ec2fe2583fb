import type { ScanAdditions } from '@assay/scanner/path-scan/scan-path.ts';
import type { ToolUse } from './external/index.ts';

/**
 * Adds to `assay scan` the third-party scanners found according to `toolUse`, and remote repositories. Each is loaded
 * when it is needed.
 */
export const scanAdditions = (toolUse: () => Promise<ToolUse | null> = async () => null): ScanAdditions => ({
  async listSources(warn) {
    const { prepareTools, listTools } = await import('./external/index.ts');
    const use = await toolUse();
    if (use) prepareTools(use, warn);
    return listTools().flatMap(({ tool, type }) => (tool.scan.git_repository ? [type] : []));
  },
  async scan(source, target, scan) {
    const { listTools } = await import('./external/index.ts');
    const { scanPathWithTool } = await import('./external/scan-path-with-tool.ts');
    const tool = listTools().find(({ type }) => type === source);
    if (!tool) throw new Error(`There is no source ${source}.`);
    return scanPathWithTool(tool, target, scan);
  },
  async fetch(url, branch, scan) {
    const { fetchRepository } = await import('../data-sources/connectors/git.ts');
    return fetchRepository({ ...scan, url, branch, credential: null, proxyUrl: null, allowFile: true });
  },
});
