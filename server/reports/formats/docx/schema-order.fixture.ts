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
export const schemaOrder: Record<string, string[]> = {
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
