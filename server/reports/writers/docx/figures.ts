import type { Chart } from '../../charts/index.ts';
import { caption } from './caption.ts';
import { paragraph, textParagraph } from './paragraph.ts';
import type { References } from './references.ts';
import { table } from './table.ts';
import { type Xml, xmlText } from './xml.ts';

/** Returns the name of a chart in `word/media`: a PNG, because Word draws SVG with text baselines incorrectly. */
export const chartName = (chart: Chart): string => `${chart.id.replaceAll('_', '-')}.png`;

/** 640 units of a chart are the 480 points of the text width; a point has 12,700 English Metric Units. */
const unit = (480 / 640) * 12_700;

/** Returns charts with their captions; two are placed side by side. */
export function figures(charts: Chart[], references: References): Xml {
  return charts.length === 1 ? figureXml(charts[0]!, references) : sideBySide(charts, references);
}

const figureXml = (chart: Chart, references: References): Xml =>
  paragraph('Figure', drawing(chart, references), { keepNext: true }) + caption('Figure', chart.caption, references);

function sideBySide(charts: Chart[], references: References): Xml {
  const cells = charts.map((chart) => ({ content: figureXml(chart, references) }));
  const widths = charts.map(() => Math.floor(9_600 / charts.length));
  return (
    table({ style: 'Layout', widths, rows: [cells], description: references.words.say('layout.side_by_side') }) +
    textParagraph('Spacer', ' ')
  );
}

function drawing(chart: Chart, references: References): Xml {
  const size = { width: chart.width * unit, height: chart.height * unit };
  return picture(chartName(chart), chart.alternative, size, references);
}

/** Returns a picture of the package, by its name in `word/media`; its size is in English Metric Units. */
export function picture(
  name: string,
  alternative: string,
  { width, height }: { width: number; height: number },
  references: References,
): Xml {
  const size = `cx="${Math.round(width)}" cy="${Math.round(height)}"`;
  const relationship = references.image(name);
  const number = relationship.replace(/\D/g, '');
  const properties = `id="${number}" name="${xmlText(name)}" descr="${xmlText(alternative)}"`;
  return (
    `<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent ${size}/><wp:docPr ${properties}/>` +
    '<wp:cNvGraphicFramePr><a:graphicFrameLocks xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" noChangeAspect="1"/></wp:cNvGraphicFramePr>' +
    '<a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">' +
    '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture">' +
    '<pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture">' +
    `<pic:nvPicPr><pic:cNvPr ${properties}/><pic:cNvPicPr/></pic:nvPicPr>` +
    `<pic:blipFill><a:blip r:embed="${relationship}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>` +
    `<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${size}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr>` +
    '</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>'
  );
}
