import { mkdir, rename, rm } from 'node:fs/promises';
import { runGit } from '@assay/scanner/platform/git.ts';
import { sampleCommits } from './sample-commits.ts';

const author = 'Sample Author <sample@example.com>';
const firstCommitAt = Date.UTC(2025, 0, 6, 9) / 1000;
const dayS = 86_400;

/**
 * Creates a small git work tree with planted problems in `directory`, for a first scan. Its commits are the same
 * everywhere. An existing one is kept, with any added commits; anything else is replaced.
 */
export async function createSampleRepository(directory: string): Promise<void> {
  const building = `${directory}.building`;
  await rm(building, { recursive: true, force: true });
  await mkdir(building, { recursive: true });
  const git = (commandLine: string[], at: string, input?: string) =>
    runGit(commandLine, {
      gitDirectory: `${at}/.git`,
      directory: at,
      home: at,
      timeoutMs: 60_000,
      input,
      environment: { GIT_WORK_TREE: at },
    });
  try {
    await git(['init', '--quiet', '--template=', '--initial-branch=main'], building);
    await git(['fast-import', '--quiet', '--date-format=raw'], building, toFastImport());
    const head = (await git(['rev-parse', 'refs/heads/main'], building)).stdout.toString().trim();
    // Commits that a person added to try a rescan are kept.
    const stands = git(['merge-base', '--is-ancestor', head, 'HEAD'], directory);
    if (await stands.then(Boolean, () => false)) return;
    await git(['reset', '--quiet', '--hard', 'main'], building);
    await rm(directory, { recursive: true, force: true });
    await rename(building, directory);
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

function toFastImport(): string {
  const stream = sampleCommits().map(({ message, files }, index) => {
    const time = `${author} ${firstCommitAt + index * dayS} +0000`;
    const changes = Object.entries(files).map(([path, content]) =>
      content === null ? `D ${path}` : `M 100644 inline ${path}\n${data(content)}`,
    );
    return ['commit refs/heads/main', `author ${time}`, `committer ${time}`, data(message), ...changes, ''].join('\n');
  });
  return `${stream.join('')}done\n`;
}

const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}`;
