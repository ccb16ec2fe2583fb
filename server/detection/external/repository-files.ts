import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DamagedRepository } from '@assay/scanner/contract/target-error.ts';
import { runGit } from '@assay/scanner/platform/git.ts';
import { readBlobs } from '@assay/scanner/repository/blob-reader.ts';
import { listTree, type Repository } from '@assay/scanner/repository/history.ts';
import { MissingFile } from '@assay/scanner/repository/read-failure.ts';
import { maxFileBytes, type SourceFile } from '@assay/scanner/repository/write-files.ts';

/** Reads the regular files of a commit's tree directly from git's objects: no filter, attribute or hook applies. */
export async function* listRepositoryFiles(repository: Repository, commit: string): AsyncGenerator<SourceFile> {
  for await (const { request, size, content } of readBlobs(repository, listTree(repository, commit), maxFileBytes)) {
    if (size === null) throw new DamagedRepository(new MissingFile(request.path));
    yield { path: request.path, content };
  }
}

/**
 * Creates a bare repository for a tool that reads history. It shares the objects of the original, has one branch at
 * `head` and none of the original's settings. Changes by the tool are discarded.
 */
export async function borrowHistory(repository: Repository, head: string, directory: string): Promise<void> {
  const { gitDirectory, ...context } = repository;
  const format = head.length === 64 ? 'sha256' : 'sha1';
  const init = ['init', '--quiet', '--bare', '--template=', '--initial-branch=main', `--object-format=${format}`];
  await runGit([...init, directory], { ...context, gitDirectory: null, writes: [dirname(directory)] });
  await mkdir(join(directory, 'objects', 'info'), { recursive: true });
  const objects = join(gitDirectory, 'objects');
  const alternate = /["\n\\]/.test(objects) ? JSON.stringify(objects) : objects;
  await writeFile(join(directory, 'objects', 'info', 'alternates'), `${alternate}\n`);
  await copyFile(join(gitDirectory, 'shallow'), join(directory, 'shallow')).catch(() => {});
  await runGit(['update-ref', 'refs/heads/main', head], { ...context, gitDirectory: directory, writes: [directory] });
}
