import type { ReportDocumentControl, ReportTemplate } from '@assay/client';
import { Select, TextField } from '../../ui/fields.tsx';
import classes from './reports.module.css';
import { stateNames, templateNames } from './words.ts';

/** What a document contains and what its cover says. */
export type DocumentDraft = {
  template: ReportTemplate;
  state: ReportDocumentControl['state'];
  classification: string;
};

export const documentDraftOf = (report: {
  template: ReportTemplate;
  document: Pick<ReportDocumentControl, 'state' | 'classification'>;
}): DocumentDraft => ({
  template: report.template,
  state: report.document.state,
  classification: report.document.classification ?? '',
});

/** Returns the parameters of the API; `before` is the document control of a report that is changed. */
export const documentParams = ({ template, state, classification }: DocumentDraft, before?: ReportDocumentControl) => ({
  template,
  document: { ...before, state, classification: classification.trim() === '' ? null : classification.trim() },
});

const optionsOf = (names: Record<string, string>) => Object.entries(names).map(([value, label]) => ({ value, label }));

export function DocumentFields({
  draft,
  change,
  errors,
}: {
  draft: DocumentDraft;
  change: (values: Partial<DocumentDraft>) => void;
  errors: Record<string, string>;
}) {
  return (
    <>
      <Select
        label="Contents of PDF and Word"
        value={draft.template}
        onChange={(template) => change({ template: template as DocumentDraft['template'] })}
        options={optionsOf(templateNames)}
      />
      <div className={classes.pair}>
        <Select
          label="State"
          value={draft.state}
          onChange={(state) => change({ state: state as DocumentDraft['state'] })}
          options={optionsOf(stateNames)}
        />
        <TextField
          label="Classification"
          placeholder="TLP:AMBER"
          value={draft.classification}
          onChange={(classification) => change({ classification })}
          error={errors['document.classification']}
        />
      </div>
    </>
  );
}
