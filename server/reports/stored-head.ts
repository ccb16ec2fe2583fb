import { defaultDocument } from './report-document.ts';
import type { ReportHead } from './report-model.ts';

type Later = 'template' | 'document' | 'analysis';

/** A head as it is stored: those of earlier versions lack some fields. */
export type StoredHead = Omit<ReportHead, Later> & Partial<Pick<ReportHead, Later>>;

/** Returns the head with every field. Reports of earlier versions had every detail. */
export const completeHead = (head: StoredHead): ReportHead => ({
  ...head,
  template: head.template ?? 'technical',
  document: { ...defaultDocument, ...head.document },
  analysis: head.analysis ?? null,
});
