import type { BulkOperation } from '@assay/client';
import { assay } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { showToast } from '../../ui/toasts.tsx';
import { formatCount, plural } from './words.ts';

const pollMs = 1_000;

/** Reloads everything that a bulk change may have affected. */
export function renewAll(): void {
  for (const key of ['findings', 'finding', 'bulk-operations']) {
    void queryClient.invalidateQueries({ queryKey: [key] });
  }
}

/** Describes what an undo restored and what it left unchanged; null before it has ended. */
export function outcomeOf({ undo }: Pick<BulkOperation, 'undo'>): string | null {
  if (!undo?.completed_at) return null;
  const restored = `${plural(undo.restored, 'finding')} restored.`;
  if (undo.passed_over === 0) return restored;
  const [were, stay] = undo.passed_over === 1 ? ['was', 'stays'] : ['were', 'stay'];
  return `${restored} ${formatCount(undo.passed_over)} ${were} changed meanwhile and ${stay} so.`;
}

/** Undoes a bulk change, waits for the end, and returns the outcome. */
export async function undoBulk(id: string): Promise<string> {
  let operation = await assay.bulkOperations.undo(id);
  if (operation.status === 'undoing') showToast(`${plural(operation.updated, 'finding')} are being restored.`);
  while (operation.status === 'undoing') {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    operation = await assay.bulkOperations.get(id);
  }
  renewAll();
  return outcomeOf(operation) ?? operation.error ?? 'Undone.';
}
