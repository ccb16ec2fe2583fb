import type { Chart } from '../../charts/index.ts';
import { caption } from './caption.ts';
import { paragraph } from './paragraph.ts';
import type { References } from './references.ts';
import { table } from './table.ts';
import { type Xml, xmlText } from './xml.ts';

/** A chart in the package: PNG in `word/media`, because Word draws SVG with text baselines incorrectly. */
export type Figure = { chart: Chart; name: string; png: Uint8Array };

/** 640 units of a chart are the 480 points of the text width; a point has 12,700 English Metric Units. */
const unit = (480 / 640) * 12_700;

/** Returns charts with their captions; two narrow ones are placed side by side. */
export function figures(list: Figure[], references: References): Xml {
  const rows: Figure[][] = [];
  for (const figure of list) {
    const row = rows.at(-1);
    const isNarrow = figure.chart.width <= 310;
    if (isNarrow && row?.length === 1 && row[0]!.chart.width <= 310) row.push(figure);
    else rows.push([figure]);
  }
  return rows.map((row) => (row.length === 1 ? figureXml(row[0]!, references) : sideBySide(row, references))).join('');
}

const figureXml = (figure: Figure, references: References): Xml =>
  paragraph('Figure', drawing(figure, references), { keepNext: true }) +
  caption('Figure', figure.chart.caption, references);

function sideBySide(row: Figure[], references: References): Xml {
  const cells = row.map((figure) => ({ content: figureXml(figure, references) }));
  return table({ style: 'Layout', widths: [4_800, 4_800], rows: [cells], description: 'Two figures side by side' });
}

function drawing({ chart, name }: Figure, references: References): Xml {
  const size = `cx="${Math.round(chart.width * unit)}" cy="${Math.round(chart.height * unit)}"`;
  const relationship = references.image(name);
  const number = relationship.replace(/\D/g, '');
  const properties = `id="${number}" name="${xmlText(name)}" descr="${xmlText(chart.alternative)}"`;
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
