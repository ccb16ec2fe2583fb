import { defaultDocument } from './report-document.ts';
import type { ComposedHead, ReportHead } from './report-model.ts';

type Later = 'template' | 'document' | 'analysis';

/** A head as it is stored: those of earlier versions lack some fields. */
export type StoredHead = Omit<ComposedHead, Later> & Partial<Pick<ComposedHead, Later>>;

/** Returns the head with every field. Reports of earlier versions had every detail, and no hash. */
export const completeHead = (head: StoredHead, snapshotSha256: Buffer | null): ReportHead => ({
  ...head,
  template: head.template ?? 'technical',
  document: { ...defaultDocument, ...head.document },
  analysis: head.analysis ?? null,
  snapshot_sha256: snapshotSha256?.toString('hex') ?? null,
});
