import { formatMoment, formatNumber } from '../../labels.ts';
import { plainText, shorten } from '../../plain-text.ts';
import type { ReportComment, ReportFinding } from '../../report-model.ts';
import { paragraph, textParagraph } from './paragraph.ts';
import { isRightToLeft, run } from './run.ts';
import type { Xml } from './xml.ts';

const maxComment = 2_000;

/** Returns the newest comments of a finding, the oldest of them first. */
export function commentsXml({ comments, comment_count: total }: ReportFinding): Xml {
  if (comments.length === 0) return '';
  const some = total > comments.length;
  const label = some ? `Comments (newest ${comments.length} of ${formatNumber(total)})` : 'Comments';
  return textParagraph('Heading4', label) + comments.map(commentXml).join('');
}

function commentXml({ author, created_at: at, comment }: ReportComment): Xml {
  const name = author === null ? 'Unknown author' : plainText(author, { line: true, max: 100 });
  const whole = plainText(comment).trim();
  const shown = shorten(whole, maxComment);
  const note =
    shown === whole
      ? ''
      : textParagraph('ReportComment', `[Truncated: ${formatNumber(whole.length)} characters in total.]`, {
          italic: true,
        });
  // Without the mark, the date would be displayed inside a right-to-left name.
  const by = run(`${name}${isRightToLeft(name) ? '\u200E' : ''}, ${formatMoment(at)}`);
  return paragraph('CommentBy', by) + textParagraph('ReportComment', shown) + note;
}
