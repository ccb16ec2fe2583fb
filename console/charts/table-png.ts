import { downloadPng } from './png.ts';

/** A part of a bar: where it starts and ends, as shares of the longest one. */
type DrawnPart = { from: number; to: number; color: string };
export type DrawnTable = { title: string; header: string[]; rows: { cells: string[]; parts: DrawnPart[] }[] };

const line = 32;
const names = 200;
const bars = 320;
const column = 112;
const namespace = 'http://www.w3.org/2000/svg';

function add(parent: Element, name: string, attributes: Record<string, string | number>, text = ''): void {
  const element = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.textContent = text;
  parent.append(element);
}

/** Draws names, bars and numbers: the first cell of a row is its name. */
function draw({ title, header, rows }: DrawnTable): SVGSVGElement {
  const svg = document.createElementNS(namespace, 'svg');
  const width = names + bars + column * (header.length - 1) + 24;
  svg.setAttribute('width', String(width));
  svg.setAttribute('height', String(line * (rows.length + 2) + 12));
  const text = { 'font-size': 13, 'font-family': getComputedStyle(document.body).fontFamily, fill: 'var(--text)' };
  const end = (index: number) => names + bars + column * index;
  add(svg, 'text', { ...text, x: 12, y: 24, 'font-weight': 600 }, title);
  const write = (cells: string[], y: number, fill: string) => {
    for (const [index, cell] of cells.entries())
      add(
        svg,
        'text',
        { ...text, fill, y, ...(index === 0 ? { x: 12 } : { x: end(index), 'text-anchor': 'end' }) },
        cell,
      );
  };
  write(header, 2 * line - 8, 'var(--muted)');
  for (const [index, { cells, parts }] of rows.entries()) {
    const y = line * (index + 3) - 12;
    write(cells, y, 'var(--text)');
    for (const { from, to, color } of parts)
      add(svg, 'rect', { x: names + from * bars, y: y - 11, width: (to - from) * bars, height: 13, fill: color });
  }
  return svg;
}

/** Downloads a table with its bars as a PNG, in the colours of the page. */
export async function downloadTablePng(table: DrawnTable, name: string): Promise<void> {
  const svg = draw(table);
  // Only what is in the document has computed colours.
  Object.assign(svg.style, { position: 'fixed', left: '-9999px', top: '0' });
  document.body.append(svg);
  try {
    await downloadPng(svg, name);
  } finally {
    svg.remove();
  }
}
