import type { ReportDocumentControl, ReportTemplate } from '@assay/client';
import { Select, TextArea } from '../../ui/choice-fields.tsx';
import { TextField } from '../../ui/fields.tsx';
import classes from './reports.module.css';
import { languageNames, paperNames, templateNames } from './words.ts';

const texts = ['version', 'author', 'classification', 'accent_color', 'footer', 'foreword', 'conclusion'] as const;
type TextName = (typeof texts)[number];

/** The contents, details and appearance of a document. Empty texts use their defaults. */
export type DocumentDraft = Record<TextName, string> & {
  template: ReportTemplate;
  language: ReportDocumentControl['language'];
  paper: ReportDocumentControl['paper'];
  /** One person or group per line. */
  distribution: string;
};

export const newDocument = (template: ReportTemplate): DocumentDraft => ({
  ...(Object.fromEntries(texts.map((name) => [name, ''])) as Record<TextName, string>),
  template,
  language: 'en',
  paper: 'a4',
  distribution: '',
});

export const documentDraftOf = (report: {
  template: ReportTemplate;
  document: ReportDocumentControl;
}): DocumentDraft => {
  const { document, template } = report;
  const { language, paper } = document;
  const given = Object.fromEntries(texts.map((name) => [name, document[name] ?? ''])) as Record<TextName, string>;
  return { ...given, template, language, paper, distribution: document.distribution.join('\n') };
};

/** Returns the parameters in the API's form. */
export const documentParams = ({ template, language, paper, distribution, ...draft }: DocumentDraft) => ({
  template,
  document: {
    ...Object.fromEntries(
      texts.filter((name) => draft[name].trim() !== '').map((name) => [name, draft[name].trim()] as const),
    ),
    language,
    paper,
    distribution: distribution
      .split('\n')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  },
});

const optionsOf = (names: Record<string, string>) => Object.entries(names).map(([value, label]) => ({ value, label }));

type Props = {
  draft: DocumentDraft;
  change: (values: Partial<DocumentDraft>) => void;
};

export function DocumentFields({ draft, change }: Props) {
  return (
    <>
      <Select
        label="Contents of PDF and Word"
        value={draft.template}
        onChange={(template) => change({ template: template as DocumentDraft['template'] })}
        options={optionsOf(templateNames)}
      />
      <TextField
        label="Classification"
        placeholder="TLP:AMBER"
        value={draft.classification}
        onChange={(classification) => change({ classification })}
        field="document.classification"
      />
      <details>
        <summary>Author, language, look and own sections</summary>
        <div className={classes.more}>
          <ControlFields draft={draft} change={change} />
          <LookFields draft={draft} change={change} />
        </div>
      </details>
    </>
  );
}

function ControlFields({ draft, change }: Props) {
  return (
    <>
      <div className={classes.pair}>
        <TextField
          label="Author"
          description="By default, the person who creates the report."
          value={draft.author}
          onChange={(author) => change({ author })}
          field="document.author"
        />
        <TextField
          label="Version"
          placeholder="1.0"
          value={draft.version}
          onChange={(version) => change({ version })}
          field="document.version"
        />
      </div>
      <TextArea
        label="Distribution"
        description="The people and groups who receive the document, one per line."
        rows={2}
        value={draft.distribution}
        onChange={(distribution) => change({ distribution })}
        field="document.distribution"
      />
    </>
  );
}

function LookFields({ draft, change }: Props) {
  return (
    <>
      <div className={classes.pair}>
        <Select
          label="Language"
          description="Text from scanners is not translated."
          value={draft.language}
          onChange={(language) => change({ language: language as DocumentDraft['language'] })}
          options={optionsOf(languageNames)}
        />
        <Select
          label="Paper"
          value={draft.paper}
          onChange={(paper) => change({ paper: paper as DocumentDraft['paper'] })}
          options={optionsOf(paperNames)}
        />
        <TextField
          label="Accent colour"
          placeholder="#0b6e6e"
          value={draft.accent_color}
          onChange={(color) => change({ accent_color: color })}
          field="document.accent_color"
        />
        <TextField
          label="Footer"
          value={draft.footer}
          onChange={(footer) => change({ footer })}
          field="document.footer"
        />
      </div>
      <TextArea
        label="Foreword"
        description="Before the summary, in Markdown."
        rows={3}
        value={draft.foreword}
        onChange={(foreword) => change({ foreword })}
        field="document.foreword"
      />
      <TextArea
        label="Conclusion"
        description="After the findings, in Markdown."
        rows={3}
        value={draft.conclusion}
        onChange={(conclusion) => change({ conclusion })}
        field="document.conclusion"
      />
    </>
  );
}
