import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../tests/harness/properties.ts';
import { type Block, type Inline, readMarkdown } from './markdown.ts';

const text = (value: string): Inline => ({ kind: 'text', text: value });
const paragraph = (...inlines: Inline[]): Block => ({ kind: 'paragraph', inlines });

function depthOf(blocks: Block[]): number {
  const inner = blocks.flatMap((block) =>
    block.kind === 'quote' ? [block.blocks] : block.kind === 'list' ? block.items : [],
  );
  return 1 + Math.max(0, ...inner.map(depthOf));
}

test('paragraphs, lists, code, quotes and headings become blocks', () => {
  assert.deepEqual(
    readMarkdown('# Why\n\nOne **two _three_** `four`\nfive\n\n3. a\n4. b\n\n> said\n\n```js\nx < 1\n```'),
    [
      { kind: 'heading', inlines: [text('Why')] },
      paragraph(
        text('One '),
        { kind: 'strong', inlines: [text('two '), { kind: 'emphasis', inlines: [text('three')] }] },
        text(' '),
        { kind: 'code', text: 'four' },
        text(' five'),
      ),
      { kind: 'list', ordered: true, start: 3, items: [[paragraph(text('a'))], [paragraph(text('b'))]] },
      { kind: 'quote', blocks: [paragraph(text('said'))] },
      { kind: 'code', text: 'x < 1' },
    ],
  );
});

test('HTML stays text, and an image becomes its alternative text', () => {
  assert.deepEqual(readMarkdown('<b onclick="x()">hi</b> ![a *cat*](https://example.com/cat.png)'), [
    paragraph(text('<b onclick="x()">hi</b> a *cat*')),
  ]);
});

test('only web and mail addresses become links', () => {
  assert.deepEqual(
    readMarkdown('[a](https://example.com/) [b](ftp://example.com/) [c](/etc/passwd) <mailto:a@b.example>'),
    [
      paragraph({ kind: 'link', url: 'https://example.com/', inlines: [text('a')] }, text(' b c '), {
        kind: 'link',
        url: 'mailto:a@b.example',
        inlines: [text('mailto:a@b.example')],
      }),
    ],
  );
  for (const address of [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'vbscript:x',
    '//example.com',
  ])
    assert.ok(!JSON.stringify(readMarkdown(`[x](${address})`)).includes('"link"'), address);
});

test('a table keeps its lines', () => {
  assert.deepEqual(readMarkdown('| a | b |\n|---|---|\n| 1 | 2 |'), [
    { kind: 'code', text: '| a | b |\n|---|---|\n| 1 | 2 |' },
  ]);
});

test('endlessly nested text stays bounded in depth and loses nothing', () => {
  for (const [nested, word] of [
    [`${'> '.repeat(500)}end`, 'end'],
    [`${'> '.repeat(20)}end`, 'end'],
    [`${Array.from({ length: 20 }, (_, depth) => `${'  '.repeat(depth)}- item${depth}`).join('\n')}`, 'item19'],
    [`${'['.repeat(3_000)}end${']('.repeat(3_000)}`, 'end'],
    [`${'*a **b '.repeat(1_000)}end`, 'end'],
  ] as const) {
    const blocks = readMarkdown(nested);
    assert.ok(depthOf(blocks) <= 10, String(depthOf(blocks)));
    assert.ok(JSON.stringify(blocks).includes(word), nested.slice(0, 20));
  }
});

test('long text is shortened, with a note', () => {
  for (const long of ['a'.repeat(30_000), 'word '.repeat(20_000), '- a\n'.repeat(4_000), '# a\n'.repeat(4_000)]) {
    const read = JSON.stringify(readMarkdown(long));
    assert.ok(read.length < 120_000);
    assert.ok(read.endsWith('[… Truncated.]"}]}]'), read.slice(-80));
  }
});

test('any text can be parsed, without active content', () => {
  const markup = fc.constantFrom(
    '>',
    '- ',
    '1. ',
    '`',
    '```\n',
    '*',
    '[',
    '](',
    ')',
    '<',
    '![',
    '\n',
    '    ',
    '|',
    '\0',
    '\uD800',
  );
  checkProperty(
    fc.property(fc.array(fc.oneof(markup, fc.string({ unit: 'binary' })), { maxLength: 60 }), (parts) => {
      const blocks = readMarkdown(parts.join(''));
      assert.ok(JSON.stringify(blocks).isWellFormed());
    }),
    { numRuns: 300 },
  );
});

test('texts designed to be slow are parsed in little time', () => {
  const stars = '*'.repeat(9_999);
  const units = [
    '>',
    '> ',
    '- ',
    '1. ',
    '*',
    '*_',
    '*a_ ',
    'a**b',
    '_a',
    '[',
    '![',
    '[a](<b',
    '<a ',
    '&a',
    '|a',
    '[a]: b\n',
  ];
  for (const text of [`${stars}a${stars}`, ...units.map((unit) => unit.repeat(20_000 / unit.length))]) {
    let best = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < 5 && best > 500; attempt += 1) {
      const { user } = process.threadCpuUsage();
      readMarkdown(text);
      best = Math.min(best, (process.threadCpuUsage().user - user) / 1000);
    }
    assert.ok(best < 500, `${text.slice(0, 20)}: ${best} ms`);
  }
});
