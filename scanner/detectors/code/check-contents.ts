const maxOutstanding = 64;
const maxOutstandingBytes = 8 * 1024 * 1024;

/**
 * Checks contents as they arrive, several in flight at a time, and passes on each outcome. Rejects with the first
 * error.
 */
export async function checkContents<File, Outcome>(
  checkOne: (file: File, content: Buffer) => Promise<Outcome>,
  contents: AsyncIterable<{ file: File; content: Buffer }>,
  take: (file: File, outcome: Outcome) => void,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  let bytes = 0;
  let failure: { error: unknown } | null = null;
  for await (const { file, content } of contents) {
    bytes += content.length;
    const check: Promise<void> = checkOne(file, content)
      .then((outcome) => take(file, outcome))
      .catch((error) => {
        failure ??= { error };
      })
      .finally(() => {
        bytes -= content.length;
        underWay.delete(check);
      });
    underWay.add(check);
    while (underWay.size >= maxOutstanding || (bytes > maxOutstandingBytes && underWay.size > 0))
      await Promise.race(underWay);
    if (failure) break;
  }
  await Promise.all(underWay);
  if (failure) throw (failure as { error: unknown }).error;
}
