import { severities } from '../../../findings/severity.ts';
import type { DocumentContent } from '../../document/blocks.ts';
import { formatNumber, severityNames } from '../../labels.ts';
import { plainText } from '../../plain-text.ts';
import { factsTable } from './block-tables.ts';
import { textParagraph } from './paragraph.ts';
import type { References } from './references.ts';
import type { Xml } from './xml.ts';

/** Returns the first page: organization, title, key figures and scope. */
export function cover({ organization, title, cover, footer }: DocumentContent, references: References): Xml {
  const open = severities
    .map((severity) => `${severityNames[severity]} ${formatNumber(cover.severities[severity])}`)
    .join(' · ');
  return [
    textParagraph('CoverOrganization', plainText(organization, { line: true, max: 200 })),
    textParagraph('Title', plainText(title, { line: true, max: 300 })),
    textParagraph('Subtitle', cover.subtitle),
    textParagraph('CoverFigures', cover.figures.map(({ value, label }) => `${value} ${label}`).join(', ')),
    textParagraph('Note', `Open findings by severity: ${open}`),
    factsTable(cover.facts, references, 'What this report covers'),
    textParagraph('Note', plainText(footer, { line: true })),
  ].join('');
}
