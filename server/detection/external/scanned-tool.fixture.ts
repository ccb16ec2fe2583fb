import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noAdvisories } from '@assay/scanner/advisories/no-advisories.ts';
import type { DataSourceKind, DetectionTarget, Detector, ScannedDetection } from '@assay/scanner/contract/detector.ts';
import { createNetworkPolicy, type NetworkPolicy } from '@assay/scanner/platform/egress/network-policy.ts';
import type { RepositoryFixture } from '../../../tests/harness/repository.ts';
import { testKeyedHash } from '../../../tests/harness/scanned-source.ts';
import { fetchRepository } from '../../data-sources/connectors/git.ts';

export type ToolScan = { coverage: string; warnings: string[]; found: ScannedDetection[]; rules: string[] };

/** A data source with its own worker, scanned by one tool. */
export class ScannedTool {
  readonly directory = mkdtempSync(join(tmpdir(), 'scanned-tool-'));
  readonly cacheDirectory = mkdtempSync(join(tmpdir(), 'tool-cache-'));
  networkPolicy: NetworkPolicy = createNetworkPolicy({ allowed: ['127.0.0.0/8', '::1', 'localhost'] });
  egressProxyUrl: string | null = null;
  messages: string[] = [];

  async scanRepository(detector: Detector, fixture: RepositoryFixture, signal?: AbortSignal): Promise<ToolScan> {
    const repository = await fetchRepository({
      url: `file://${fixture.work}`,
      branch: null,
      credential: null,
      proxyUrl: null,
      allowFile: true,
      directory: join(this.cacheDirectory, 'git'),
      signal: AbortSignal.timeout(600_000),
    });
    return this.#scan(detector, { kind: 'git_repository', name: 'x', repository, address: null }, signal);
  }

  scanAddress(detector: Detector, kind: DataSourceKind, address: string, signal?: AbortSignal): Promise<ToolScan> {
    return this.#scan(detector, { kind, name: 'x', repository: null, address }, signal);
  }

  async #scan(detector: Detector, target: Omit<DetectionTarget, 'directory'>, signal?: AbortSignal): Promise<ToolScan> {
    const found = new Map<string, ScannedDetection>();
    const result = await detector.detect(
      { ...target, directory: this.directory },
      {
        signal: signal ?? AbortSignal.timeout(600_000),
        emit: async (batch) => {
          for (const detection of batch) found.set(detection.fingerprint, detection);
        },
        progress: (_, message) => this.messages.push(message),
        keyedHash: testKeyedHash,
        advisories: noAdvisories,
        networkPolicy: this.networkPolicy,
        egressProxyUrl: this.egressProxyUrl,
        cacheDirectory: this.cacheDirectory,
      },
    );
    const rules = [...new Set([...found.values()].map(({ rule }) => rule.id))].sort();
    return { ...result, found: [...found.values()], rules };
  }

  /** Lists the files that runs left in the data source's directory. */
  leftovers(): string[] {
    return readdirSync(this.directory).filter((name) => name.startsWith('run-'));
  }

  remove() {
    for (const directory of [this.directory, this.cacheDirectory]) rmSync(directory, { recursive: true, force: true });
  }
}
