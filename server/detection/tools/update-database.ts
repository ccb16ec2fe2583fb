import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exclusively } from '../../platform/exclusive.ts';
import type { PlaceholderValues } from './placeholders.ts';
import { startTool, type ToolContext } from './start-tool.ts';
import type { ToolDescription } from './tool-description.ts';
import { ToolError } from './tool-error.ts';

const hourMs = 3_600_000;

/**
 * Updates a tool's own data (advisories, templates) in its `database` directory on this worker, when it is older than
 * the description allows. The command sees nothing of the target. Returns a warning when old data has to be used;
 * throws a ToolError when there is none.
 */
export async function updateDatabase(
  description: ToolDescription,
  values: PlaceholderValues & { database: string },
  context: ToolContext,
): Promise<string | null> {
  const { update, name } = description;
  if (!update) return null;
  const stamp = join(values.database, '.updated');
  return exclusively(`database of ${values.database}`, async () => {
    await mkdir(values.database, { recursive: true, mode: 0o700 });
    const updatedAt = await stat(stamp).then(
      (information) => information.mtimeMs,
      () => null,
    );
    // A time in the future is from before the clock was set back.
    const ageMs = updatedAt === null ? null : Date.now() - updatedAt;
    if (ageMs !== null && ageMs >= 0 && ageMs < update.every_hours * hourMs) return null;
    try {
      const online: ToolDescription = { ...description, network: 'proxy', output_mb: 16_384 };
      await startTool(online, update.arguments, values, context, [0], join(context.home, 'update.out'));
      await writeFile(stamp, '');
      return null;
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      if (updatedAt === null) {
        throw new ToolError(
          `${name} has no data to work with yet, and could not fetch it. ${error.message}`,
          error.toolSaid,
          undefined,
          error.isTransient,
        );
      }
      return `${name} could not renew its data: it worked with that of ${new Date(updatedAt).toISOString().slice(0, 10)}.`;
    }
  });
}
