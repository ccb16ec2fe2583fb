import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { unzipSync } from 'fflate';
import { type SaxesAttributeNS, SaxesParser } from 'saxes';

const list = (names: string) => names.trim().split(/\s+/);

const runProperties =
  list(`rStyle rFonts b bCs i iCs caps smallCaps strike dstrike outline shadow emboss imprint noProof
  snapToGrid vanish webHidden color spacing w kern position sz szCs highlight u effect bdr shd fitText vertAlign rtl cs em
  lang eastAsianLayout specVanish oMath`);

const paragraphProperties =
  list(`pStyle keepNext keepLines pageBreakBefore framePr widowControl numPr suppressLineNumbers
  pBdr shd tabs suppressAutoHyphens kinsoku wordWrap overflowPunct topLinePunct autoSpaceDE autoSpaceDN bidi adjustRightInd
  snapToGrid spacing ind contextualSpacing mirrorIndents suppressOverlap jc textDirection textAlignment textboxTightWrap
  outlineLvl divId cnfStyle rPr sectPr pPrChange`);

/**
 * The order of child elements, by the sequences of ISO/IEC 29500-1 (`wml.xsd`): Word reports a document that violates
 * it as damaged. Elements that are not listed may have their children in any order.
 */
const schemaOrder: Record<string, string[]> = {
  'w:pPr': paragraphProperties,
  'w:rPr': runProperties,
  'w:tblPr': list(`tblStyle tblpPr tblOverlap bidiVisual tblStyleRowBandSize tblStyleColBandSize tblW jc tblCellSpacing
    tblInd tblBorders shd tblLayout tblCellMar tblLook tblCaption tblDescription`),
  'w:tcPr': list(
    `cnfStyle tcW gridSpan hMerge vMerge tcBorders shd noWrap tcMar textDirection tcFitText vAlign hideMark`,
  ),
  'w:tbl': list('tblPr tblGrid tr'),
  'w:tr': list('tblPrEx trPr tc'),
  'w:tc': list('tcPr p'),
  'w:tblBorders': list('top left start bottom right end insideH insideV'),
  'w:tcBorders': list('top left start bottom right end insideH insideV tl2br tr2bl'),
  'w:tblCellMar': list('top left start bottom right end'),
  'w:pBdr': list('top left bottom right between bar'),
  'w:numPr': list('ilvl numId'),
  'w:sectPr': list(`headerReference footerReference footnotePr endnotePr type pgSz pgMar paperSrc pgBorders lnNumType
    pgNumType cols formProt vAlign noEndnote titlePg textDirection bidi rtlGutter docGrid printerSettings`),
  'w:style':
    list(`name aliases basedOn next link autoRedefine hidden uiPriority semiHidden unhideWhenUsed qFormat locked
    personal personalCompose personalReply rsid pPr rPr tblPr trPr tcPr tblStylePr`),
  'w:tblStylePr': list('pPr rPr tblPr trPr tcPr'),
  'w:styles': list('docDefaults latentStyles style'),
  'w:lvl': list('start numFmt lvlRestart pStyle isLgl suff lvlText lvlPicBulletId legacy lvlJc pPr rPr'),
  'w:numbering': list('numPicBullet abstractNum num numIdMacAtCleanup'),
  'w:sdt': list('sdtPr sdtEndPr sdtContent'),
  'wp:inline': list('extent effectExtent docPr cNvGraphicFramePr graphic'),
  'pic:pic': list('nvPicPr blipFill spPr'),
};

/** A parsed element: its name with the usual prefix, its attributes, its content. */
export type Element = { name: string; attributes: Record<string, string>; children: Element[]; text: string };

/** The parts of a Word document by path; XML parts are parsed. */
export type WordPackage = { paths: string[]; xml: Map<string, Element>; bytes: Map<string, Uint8Array> };

/** Reads a Word document. Throws on XML that is not well-formed or contains forbidden characters. */
export function readPackage(file: Uint8Array): WordPackage {
  const bytes = new Map(Object.entries(unzipSync(file)));
  const xml = new Map<string, Element>();
  for (const [path, content] of bytes)
    if (/\.(xml|rels)$/.test(path)) xml.set(path, readXml(new TextDecoder('utf-8', { fatal: true }).decode(content)));
  return { paths: [...bytes.keys()], xml, bytes };
}

function readXml(text: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', (tag) => {
    const attributes = Object.values(tag.attributes as Record<string, SaxesAttributeNS>);
    const element: Element = {
      name: tag.name,
      attributes: Object.fromEntries(attributes.map((attribute) => [attribute.name, attribute.value])),
      children: [],
      text: '',
    };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on('text', (piece) => {
    open.at(-1)!.text += piece;
  });
  parser.on('closetag', () => open.pop());
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(text).close();
  return root.children[0]!;
}

function* descendants(element: Element): Generator<Element> {
  yield element;
  for (const child of element.children) yield* descendants(child);
}

export const named = (element: Element, name: string): Element[] =>
  [...descendants(element)].filter((element) => element.name === name);

/** Returns the visible text: line breaks and tabs, a line for each paragraph, no field instructions. */
export function textOf(element: Element): string {
  if (element.name === 'w:t') return element.text;
  if (element.name === 'w:br') return '\n';
  if (element.name === 'w:tab' && !('w:pos' in element.attributes)) return '\t';
  if (element.name === 'w:instrText') return '';
  return element.children.map(textOf).join('') + (element.name === 'w:p' ? '\n' : '');
}

/** Asserts the conditions under which Word opens a document without repair. */
export function assertSound(word: WordPackage): void {
  assertContentTypes(word);
  for (const path of word.xml.keys()) {
    const element = word.xml.get(path)!;
    if (path.endsWith('.rels')) assertTargets(path, element, word);
    else assertOrder(path, element);
  }
  assertReferences(word);
}

function assertContentTypes({ xml, paths }: WordPackage): void {
  const types = xml.get('[Content_Types].xml')!;
  const extensions = named(types, 'Default').map((element) => element.attributes.Extension);
  const parts = named(types, 'Override').map((element) => element.attributes.PartName);
  for (const path of paths)
    if (path !== '[Content_Types].xml')
      assert.ok(
        parts.includes(`/${path}`) || extensions.includes(path.split('.').pop()!),
        `${path} has no content type`,
      );
  for (const part of parts) assert.ok(paths.includes(part!.slice(1)), `${part} is missing`);
}

function assertTargets(path: string, element: Element, { paths }: WordPackage): void {
  const base = posix.dirname(posix.dirname(path));
  const relationships = named(element, 'Relationship');
  assertUnique(path, relationships, 'Id');
  for (const { attributes } of relationships) {
    if (attributes.TargetMode === 'External') {
      assert.match(attributes.Target!, /^(?:https?|mailto):[\w\-.~:/?#@!$&'()*+,;=%[\]]+$/);
      assert.doesNotMatch(attributes.Target!, /%(?![0-9A-Fa-f]{2})/);
    } else assert.ok(paths.includes(posix.join(base, attributes.Target!)), `${path} leads to ${attributes.Target}`);
  }
}

function assertOrder(path: string, root: Element): void {
  for (const element of descendants(root)) {
    const order = schemaOrder[element.name];
    if (!order) continue;
    const places = element.children.map((child) => order.indexOf(child.name.replace(/^\w+:/, '')));
    const names = element.children.map((child) => child.name).join(' ');
    assert.ok(!places.includes(-1), `${path}: ${element.name} may not hold all of ${names}`);
    for (let index = 1; index < places.length; index++)
      assert.ok(places[index - 1]! <= places[index]!, `${path}: ${element.name} holds in this order ${names}`);
    if (element.name === 'w:tc') assert.equal(element.children.at(-1)?.name, 'w:p', 'a cell ends in a paragraph');
    if (element.name === 'w:tbl') assertColumns(element);
  }
}

/** Asserts that the cells of each row span the columns of the table. */
function assertColumns(table: Element): void {
  const columns = named(table, 'w:gridCol').length;
  for (const row of table.children.filter((child) => child.name === 'w:tr')) {
    const cells = row.children.filter((child) => child.name === 'w:tc');
    const spans = cells.map((cell) => Number(named(cell, 'w:gridSpan')[0]?.attributes['w:val'] ?? 1));
    assert.equal(
      spans.reduce((sum, span) => sum + span, 0),
      columns,
    );
  }
}

function assertUnique(path: string, elements: Element[], attribute: string): void {
  const values = elements.map((element) => element.attributes[attribute]!);
  assert.equal(new Set(values).size, values.length, `${path}: ${attribute} of ${elements[0]?.name} repeats`);
}

/** Asserts that the styles, lists, bookmarks and relationships in use exist, and that ids are unique. */
function assertReferences({ xml }: WordPackage): void {
  const body = xml.get('word/document.xml')!;
  const all = [...descendants(body)];
  const values = (name: string, attribute: string) =>
    new Set(all.filter((element) => element.name === name).map((element) => element.attributes[attribute]!));
  const defined = (part: string, name: string, attribute: string) =>
    new Set(named(xml.get(part)!, name).map((element) => element.attributes[attribute]!));
  const styles = defined('word/styles.xml', 'w:style', 'w:styleId');
  for (const name of ['w:pStyle', 'w:rStyle', 'w:tblStyle'])
    for (const style of values(name, 'w:val')) assert.ok(styles.has(style), `no style ${style}`);
  const lists = defined('word/numbering.xml', 'w:num', 'w:numId');
  for (const id of values('w:numId', 'w:val')) assert.ok(lists.has(id), `no list ${id}`);
  const bookmarks = all.filter((element) => element.name === 'w:bookmarkStart');
  for (const attribute of ['w:id', 'w:name']) assertUnique('word/document.xml', bookmarks, attribute);
  const places = values('w:bookmarkStart', 'w:name');
  for (const place of places) assert.match(place, /^[A-Za-z]\w{0,39}$/);
  for (const place of values('w:hyperlink', 'w:anchor'))
    if (place) assert.ok(places.has(place), `no bookmark ${place}`);
  const relationships = defined('word/_rels/document.xml.rels', 'Relationship', 'Id');
  const used = new Set([...values('w:hyperlink', 'r:id'), ...values('a:blip', 'r:embed')].filter(Boolean));
  for (const id of used) assert.ok(relationships.has(id), `no relationship ${id}`);
  for (const id of relationships) if (!id.startsWith('rId')) assert.ok(used.has(id), `${id} is not used`);
  assertUnique(
    'word/document.xml',
    all.filter((element) => element.name === 'wp:docPr'),
    'id',
  );
}
