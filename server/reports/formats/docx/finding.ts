import { formatMoment, severityColors, severityNames, statusNames } from '../../labels.ts';
import { plainText, shorten } from '../../plain-text.ts';
import type { ReportFinding, ReportHead } from '../../report-model.ts';
import { commentsXml } from './comments.ts';
import { findingFacts } from './finding-facts.ts';
import { markdownParagraphs } from './markdown.ts';
import { codeParagraph, paragraph, textParagraph } from './paragraph.ts';
import { placesOf } from './place.ts';
import type { References } from './references.ts';
import { isRightToLeft, run } from './run.ts';
import { hex, type Xml } from './xml.ts';

const maxHeading = 150;
const maxEvidence = 10_000;

/** Returns the details of a finding; its id is the bookmark of its heading. */
export function findingXml(finding: ReportFinding, head: ReportHead, references: References): Xml {
  const title = plainText(finding.title, { line: true }) || finding.rule.name || finding.id;
  const heading = shorten(title, maxHeading);
  const places = placesOf(finding);
  return [
    paragraph('Heading3', references.bookmark(finding.id, run(heading)), { rightToLeft: isRightToLeft(heading) }),
    paragraph('FindingFacts', badge(finding)),
    findingFacts(finding, references, head.source_names[finding.source] ?? finding.source),
    places ? part(places.label, codeParagraph('Code', places.lines)) : '',
    part('Full title', heading === title ? '' : textParagraph('BodyText', title)),
    part('Description', finding.description.trim() && markdownParagraphs(finding.description, references)),
    part('Evidence', finding.evidence?.trim() && evidence(finding.evidence)),
    part('Remediation', finding.remediation?.trim() && markdownParagraphs(finding.remediation, references)),
    part('References', finding.references.map((address) => referenceXml(address, references)).join('')),
    commentsXml(finding),
  ].join('');
}

const part = (label: string, content: Xml | undefined | null): Xml =>
  content ? textParagraph('Heading4', label) + content : '';

function badge(finding: ReportFinding): Xml {
  const severity = run(` ${severityNames[finding.severity]} `, {
    bold: true,
    color: 'FFFFFF',
    shade: hex(severityColors[finding.severity]),
  });
  const closed = finding.closed_at === null ? '' : ` since ${formatMoment(finding.closed_at)}`;
  return severity + run(`  ${statusNames[finding.status]}${closed}\t`) + run(finding.id, { style: 'CodeText' });
}

function evidence(text: string): Xml {
  const whole = plainText(text).replace(/\n+$/, '');
  const shown = shorten(whole, maxEvidence);
  const note =
    shown === whole ? '' : textParagraph('Note', 'Truncated; the full text is in the CSV export of this report.');
  return codeParagraph('Code', shown) + note;
}

function referenceXml(address: string, references: References): Xml {
  return paragraph('ListBullet', references.address(plainText(address, { line: true })), { list: 0 });
}
