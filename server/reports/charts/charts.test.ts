import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Severity, severities } from '@assay/scanner/contract/severity.ts';
import { SaxesParser } from 'saxes';
import { fontFiles } from '../fonts.ts';
import { formatNumber, severityFills } from '../labels.ts';
import { reportHead } from '../report.fixture.ts';
import { hostileTitles, reportFindings } from '../report-finding.fixture.ts';
import { wordingIn } from '../sentences/wording.ts';
import { type Chart, drawCharts } from './index.ts';
import { rasterize, withShapedTextDrawn } from './raster.ts';
import { textWidth } from './text-width.ts';
import { monthLabels } from './weekly.ts';

const head = reportHead(reportFindings(200));
const charts = drawCharts(head);
const chartOf = (id: Chart['id'], drawn = charts) => drawn.find((chart) => chart.id === id)!;

/** Returns the elements and texts of an SVG document, read by a strict parser. */
function read(svg: string) {
  const elements = new Map<string, string[]>();
  const texts: string[] = [];
  const parser = new SaxesParser();
  let inText = false;
  parser.on('opentag', ({ name, attributes }) => {
    elements.set(name, [...(elements.get(name) ?? []), ...Object.keys(attributes)]);
    inText = name === 'text';
    if (inText) texts.push('');
  });
  parser.on('closetag', () => {
    inText = false;
  });
  parser.on('text', (text) => {
    if (inText) texts[texts.length - 1] += text;
  });
  parser.on('error', (error) => assert.fail(error));
  parser.write(svg).close();
  return { elements, texts };
}

const severityFigures = (figure: number): Record<Severity, number> => ({
  critical: figure,
  high: 2,
  medium: 0,
  low: 1,
  info: 0,
});

const names = [...hostileTitles.slice(0, 8), '{b|rich} {@value} {c0}', ''];
const hostile = reportHead(reportFindings(200), {
  open: 200,
  top_data_sources: names.map((name, index) => ({
    id: `ds_${index}`,
    name,
    kind: 'host',
    open: 13 - index,
    open_by_severity: severityFigures(10 - index),
  })),
  open_by_source: Object.fromEntries(names.map((_, index) => [`source-${index}`, 100 - index])),
  source_names: Object.fromEntries(names.map((name, index) => [`source-${index}`, name])),
});

test('a report with open findings has all five charts, one without has none', () => {
  assert.deepEqual(
    charts.map(({ id }) => id),
    ['severity', 'source', 'weekly', 'age', 'data_sources'],
  );
  assert.deepEqual(drawCharts(reportHead([])), []);
});

test('a report on closed findings has only the weekly chart', () => {
  const closed = reportFindings(60).filter(({ status }) => status === 'resolved');
  assert.deepEqual(
    drawCharts(reportHead(closed)).map(({ id }) => id),
    ['weekly'],
  );
});

test('the weekly chart is left out if the filters exclude some open findings, and its open line if they exclude older ones', () => {
  const filtered = drawCharts({ ...head, filters: { status: ['new', 'resolved'] } });
  assert.equal(chartOf('weekly', filtered), undefined);
  const recent = chartOf('weekly', drawCharts({ ...head, filters: { from: '2026-01-01T00:00:00Z' } }));
  assert.match(recent.caption, /among those that this report covers/);
  assert.doesNotMatch(recent.svg, /Open at the end/);
});

test('the figures in words equal those of the report', () => {
  for (const severity of severities)
    assert.match(chartOf('severity').alternative, new RegExp(`${severity} ${head.open_by_severity[severity]}\\b`));
  for (const [source, open] of Object.entries(head.open_by_source))
    assert.match(chartOf('source').alternative, new RegExp(`${head.source_names[source]} ${open}\\b`));
  for (const { week, opened, closed, open } of head.weekly) {
    const words = `${week}: ${opened} opened, ${closed} closed, ${open} open`;
    assert.equal(chartOf('weekly').alternative.includes(words), opened + closed > 0, words);
  }
  for (const { by_severity: figures } of head.age)
    for (const severity of severities.filter((shown) => figures[shown] > 0))
      assert.match(chartOf('age').alternative, new RegExp(`${severity} ${figures[severity]}\\b`));
  for (const { name, open } of head.top_data_sources)
    assert.match(chartOf('data_sources').alternative, new RegExp(`${name} ${open} \\(`));
});

test('a long name is shortened beside its bar, and complete in sentences', () => {
  const name = 'GitLab security report of dependency scanning';
  const [source] = Object.keys(head.open_by_source);
  const names = { ...head.source_names, [source!]: name };
  const { caption, alternative, svg } = chartOf(
    'source',
    drawCharts({ ...head, open_by_source: { [source!]: 90, other: 3 }, source_names: names }),
  );
  assert.match(caption, new RegExp(`${name} has the most`));
  assert.ok(alternative.includes(name) && !svg.includes(name));
  const [most, ...others] = head.top_data_sources;
  const long = 'a data source with a name of more than fifty letters in it';
  const places = chartOf(
    'data_sources',
    drawCharts({ ...head, top_data_sources: [{ ...most!, name: long }, ...others] }),
  );
  assert.ok(places.alternative.includes(long) && !places.svg.includes(long));
});

test('the figures in the pictures equal those of the report', () => {
  const { texts } = read(chartOf('severity').svg);
  for (const severity of severities) assert.ok(texts.includes(formatNumber(head.open_by_severity[severity])));
  const sums = head.age.map(({ by_severity: figures }) =>
    severities.reduce((sum, severity) => sum + figures[severity], 0),
  );
  const ages = read(chartOf('age').svg).texts;
  for (const sum of sums.filter((value) => value > 0)) assert.ok(ages.includes(formatNumber(sum)), String(sum));
});

test('no name breaks a picture: it stays well-formed XML with text and without active content, and each name has its row', () => {
  for (const chart of drawCharts(hostile)) {
    const { elements, texts } = read(chart.svg);
    for (const name of elements.keys())
      assert.ok(['svg', 'rect', 'path', 'text', 'g', 'defs', 'pattern'].includes(name), name);
    for (const [name, attributes] of elements)
      for (const attribute of attributes.filter((own) => name !== 'pattern' || own !== 'id'))
        assert.doesNotMatch(attribute, /^(?:on|href|xlink:href|id|class|ecmeta)/);
    for (const text of texts) assert.doesNotMatch(text, /[\0-\x1F\u202A-\u202E\uFFFD]|NaN|undefined/);
  }
  const { texts } = read(chartOf('data_sources', drawCharts(hostile)).svg);
  assert.ok(texts.includes('{b|rich} {@value} {c0}'));
  assert.ok(texts.includes('without a name'));
  assert.ok(texts.some((text) => /^A+…$/.test(text)));
});

test('names fit into the picture, whatever their script', () => {
  for (const chart of drawCharts(hostile))
    for (const [, end, text] of chart.svg.matchAll(/text-anchor="end"[^>]*translate\(([\d.]+) [^>]*>([^<]*)</g))
      assert.ok(textWidth(text!.replace(/&\w+;/g, 'x'), 12) <= Number(end) + 1, text);
});

test('a tiny value is still visible, with its real figure', () => {
  const open_by_severity = { critical: 1, high: 0, medium: 1_000_000, low: 0, info: 0 };
  const { svg } = chartOf('severity', drawCharts({ ...head, open: 1_000_001, open_by_severity }));
  assert.ok(read(svg).texts.includes('1') && read(svg).texts.includes('1,000,000'));
  const critical = svg.match(/<path d="M([\d.]+) [\d.]+L([\d.]+)[^>]*fill="#680c32"/)!;
  assert.ok(Number(critical[2]) - Number(critical[1]) > 0.5, critical[0]);
});

test('charts have the accent color of the report, and otherwise that of Assay', () => {
  const colored = { ...head, document: { ...head.document, accent_color: '#6b1e5a' } };
  const own = drawCharts(colored);
  for (const id of ['source', 'weekly'] as const) {
    assert.match(chartOf(id).svg, /#0b6e6e/);
    assert.match(chartOf(id, own).svg, /#6b1e5a/);
  }
  for (const { svg } of own) assert.doesNotMatch(svg, /#0b6e6e/);
});

test('the same report gives the same pictures, drawn once or twice in one process', () => {
  assert.ok(JSON.stringify(drawCharts(head)) === JSON.stringify(charts));
  const [first, second] = [chartOf('age'), chartOf('age', drawCharts(head))];
  assert.ok(Buffer.from(rasterize(first, 1, fontFiles())).equals(Buffer.from(rasterize(second, 1, fontFiles()))));
});

test('a rasterized chart has the requested size', () => {
  const png = Buffer.from(rasterize(chartOf('weekly'), 2, fontFiles()));
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1_280, chartOf('weekly').height * 2]);
});

test('letters are drawn as shapes only in a picture with joining letters', () => {
  assert.equal(withShapedTextDrawn(chartOf('age'), fontFiles()), chartOf('age'));
  const joined = chartOf(
    'data_sources',
    drawCharts({ ...head, top_data_sources: [{ ...head.top_data_sources[0]!, name: 'مستودع' }] }),
  );
  const { elements } = read(withShapedTextDrawn(joined, fontFiles()).svg);
  assert.ok(!elements.has('text') && elements.has('path'));
});

test('a month labels the first week that starts in it; the first label and January include the year', () => {
  const weeks = ['2025-11-24', '2025-12-01', '2025-12-08', '2025-12-29', '2026-01-05', '2026-02-02'];
  assert.deepEqual(monthLabels(weeks, wordingIn('en')), ['', 'Dec 2025', '', '', 'Jan 2026', 'Feb']);
});

test('printed in gray, any two severities of a stack differ in lightness or in their pattern', () => {
  const lightness = (fill: string) => {
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(fill.slice(at, at + 2), 16) / 255);
    return 0.299 * red! + 0.587 * green! + 0.114 * blue!;
  };
  const { svg } = chartOf('age');
  const looks = severities.map((severity) => {
    const { fill } = severityFills[severity];
    const path = [...svg.matchAll(/d="(M[^"]+)" fill="([^"]+)"/g)].find(([, , color]) => color === fill)![1];
    const pattern = svg.match(`d="${path}" fill="url\\(#(\\w+)\\)"`)?.[1] ?? '';
    return { severity, pattern, lightness: lightness(fill) };
  });
  for (const [index, look] of looks.entries())
    for (const other of looks.slice(0, index))
      assert.ok(
        look.pattern !== other.pattern || Math.abs(look.lightness - other.lightness) > 0.1,
        `${look.severity} looks like ${other.severity}`,
      );
  assert.ok(looks.every(({ pattern }) => pattern === '' || svg.includes(`id="${pattern}"`)));
});
