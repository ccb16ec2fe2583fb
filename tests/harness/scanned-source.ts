import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'node:test';
import { noAdvisories } from '../../scanner/advisories/no-advisories.ts';
import type { Detection } from '../../scanner/contract/detection.ts';
import type { Detector } from '../../scanner/contract/detector.ts';
import { createSecretsDetector } from '../../scanner/detectors/secrets/create-detector.ts';
import type { SecretRule } from '../../scanner/detectors/secrets/rule.ts';
import { createNetworkPolicy } from '../../scanner/platform/egress/network-policy.ts';
import { fetchRepository } from '../../server/data-sources/connectors/git.ts';
import { whileRead } from '../../server/detection/scans/checkout.ts';
import { RepositoryFixture } from './repository.ts';

/** An invented kind of credential, so that these tests do not depend on the real rules. */
export const testRules: SecretRule[] = [
  {
    id: 'test-token',
    name: 'Test token',
    severity: 'high',
    risk: 'None.',
    remediation: 'None.',
    keywords: ['zzkey-'],
    pattern: 'zzkey-[a-z0-9]{8}',
    matches: [],
    misses: [],
  },
];

export const testKeyedHash = (value: string | Uint8Array) =>
  createHmac('sha256', 'test').update(value).digest('base64url');

/** A data source on a fixture's repository, fetched and scanned like by a worker. */
export class ScannedSource {
  readonly directory = mkdtempSync(join(tmpdir(), 'scanned-'));
  readonly detector: Detector;
  messages: string[] = [];
  warnings: string[] = [];
  coverage = '';
  uncoveredPaths: string[] = [];
  readonly #fixture: RepositoryFixture;

  constructor(fixture: RepositoryFixture, detector: Detector = createSecretsDetector(testRules)) {
    this.#fixture = fixture;
    this.detector = detector;
  }

  async scan(
    more: { signal?: AbortSignal; keyedHash?: typeof testKeyedHash; allBranches?: boolean } = {},
  ): Promise<Detection[]> {
    const signal = more.signal ?? AbortSignal.timeout(600_000);
    const repository = await fetchRepository({
      url: `file://${this.#fixture.work}`,
      branch: null,
      allBranches: more.allBranches,
      credential: null,
      proxyUrl: null,
      directory: join(this.directory, 'git'),
      signal,
      allowFile: true,
    });
    const found = new Map<string, Detection>();
    this.messages = [];
    const result = await whileRead(repository, () =>
      this.detector.detect(
        { kind: 'git_repository', name: 'x', repository, address: null, directory: this.directory },
        {
          signal,
          emit: async (batch) => {
            for (const detection of batch) found.set(detection.fingerprint, detection);
          },
          progress: (_, message) => this.messages.push(message),
          keyedHash: more.keyedHash ?? testKeyedHash,
          advisories: noAdvisories,
          networkPolicy: createNetworkPolicy({ allowed: [] }),
          egressProxyUrl: null,
          cacheDirectory: this.directory,
        },
      ),
    );
    this.warnings = result.warnings;
    this.coverage = result.coverage;
    this.uncoveredPaths = result.uncoveredPaths ?? [];
    return [...found.values()].sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1));
  }

  remove() {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Creates a repository and a data source on it before each test of the file, and removes them afterwards. */
export function forEachTest(
  detector: Detector | undefined,
  use: (created: { fixture: RepositoryFixture; source: ScannedSource }) => void,
): void {
  let fixture: RepositoryFixture;
  let source: ScannedSource;
  beforeEach(() => {
    fixture = new RepositoryFixture();
    source = new ScannedSource(fixture, detector);
    use({ fixture, source });
  });
  afterEach(() => {
    fixture.remove();
    source.remove();
  });
}
