/** Returns a sentence for people on why a file or folder could not be read. */
export function whyUnreadable(error: unknown, path: string): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return `there is nothing at ${path}.`;
  if (code === 'EACCES' || code === 'EPERM') return `${path} may not be read.`;
  return error instanceof Error ? error.message : String(error);
}
