import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../../tests/harness/properties.ts';
import { plainText } from '../../plain-text.ts';
import { bytesOf, inBoth, reportOf } from '../../report.fixture.ts';
import { reportFinding } from '../../report-finding.fixture.ts';
import type { ReportFinding, ReportHead } from '../../report-model.ts';
import { writeDocx } from '../docx.ts';
import { assertSound, type Element, named, readPackage, textOf, type WordPackage } from './word-package.fixture.ts';

const write = async (findings: ReportFinding[], head: Partial<ReportHead> = {}) =>
  readPackage(await bytesOf(writeDocx(reportOf(findings, head))));
const bodyOf = (word: WordPackage) => word.xml.get('word/document.xml')!;
const written = async (changes: Partial<ReportFinding>) => bodyOf(await write([reportFinding(0, changes)]));
const at = '2026-11-01T00:00:00Z';
const isEntry = (element: Element) => named(element, 'w:pStyle')[0]?.attributes['w:val'] === 'Heading3';

/** Text of any UTF-16 code units: lone surrogates, controls, markup. */
const anyText = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
      fc.constantFrom(
        '\u0000',
        '\uD800',
        '\uFFFE',
        '\u202E',
        ']]>',
        '<w:p/>',
        '&#0;',
        '\n\n',
        '- ',
        '1. ',
        '> ',
        '```\n',
        '[a](http://b)',
      ),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));

describe('text of a finding', () => {
  test('of any characters, in any field, keeps the document valid', async () => {
    await checkProperty(
      fc.asyncProperty(fc.array(anyText, { minLength: 14, maxLength: 14 }), async (texts) => {
        const [
          title,
          description,
          evidence,
          remediation,
          comment,
          path,
          url,
          tag,
          name,
          rule,
          reference,
          author,
          version,
          commit,
        ] = texts as [string, ...string[]] as string[];
        const finding = reportFinding(0, {
          title: title!,
          description: description!,
          evidence: evidence!,
          remediation: remediation!,
          rule: { id: rule!, name: rule!, url: url!, tags: [] },
          data_source: { id: 'ds_1', name: name!, kind: name! as 'upload' },
          location: {
            path: path!,
            start_line: 1,
            end_line: 2,
            start_column: 1,
            end_column: 2,
            commit: commit!,
            url: url!,
            package: { ecosystem: tag!, name: name!, version: version!, fixed_version: version!, purl: path! },
          },
          identifiers: [tag!],
          references: [reference!, `https://example.com/${reference!}`],
          tags: [tag!],
          places: [{ path: path!, start_line: 1, end_line: 1, commit: commit! }],
          comments: [{ author: author!, created_at: at, comment: comment! }],
        });
        const head = {
          title: title!,
          organization: { id: 'org_1', name: name! },
          selection: inBoth([{ label: tag!, values: [path!] }]),
        };
        assertSound(await write([finding], head));
      }),
      { numRuns: 25 },
    );
  });

  test('keeps its lines and tabs in evidence, and its backslashes and dollars everywhere', async () => {
    const evidence = 'if (a) {\n\treturn `$&$1`; // \\u0041 $$\n}';
    assert.ok(textOf(await written({ evidence })).includes(evidence));
  });

  test('is shown in full below a heading that shortens it', async () => {
    const title = 'x'.repeat(5_000);
    const body = await written({ title });
    assert.ok(textOf(body).includes(title));
    const heading = named(body, 'w:p').find((element) => isEntry(element) && textOf(element).startsWith('xx'))!;
    assert.equal(textOf(heading).split('\t')[0], `${'x'.repeat(139)}…`);
  });

  test('written from right to left is marked: its paragraph by its first letter, its runs by their letters', async () => {
    const body = await written({ title: 'שלום abc עולם', description: 'abc מילה אחת def' });
    const heading = named(body, 'w:p').find(isEntry)!;
    assert.equal(named(heading, 'w:bidi').length, 1);
    assert.deepEqual(
      named(heading, 'w:r')
        .slice(0, 3)
        .map((element) => [textOf(element), named(element, 'w:rtl').length]),
      [
        ['שלום', 1],
        [' abc ', 0],
        ['עולם', 1],
      ],
    );
    const description = named(body, 'w:p').find((element) => textOf(element).startsWith('abc מילה'))!;
    assert.equal(named(description, 'w:bidi').length, 0);
    assert.deepEqual(named(description, 'w:rtl').length, 1);
  });

  test('is formatted by its Markdown, with lists within lists', async () => {
    const description = '# Why\n\nIt **is** `so`.\n\n3. three\n   - inner\n4. four\n\n> said\n\n```\na  b\n```';
    const body = await written({ description });
    const paragraphs = named(body, 'w:p').map((element) => [
      named(element, 'w:pStyle')[0]!.attributes['w:val'],
      textOf(element).trim(),
    ]);
    for (const expected of [
      ['BodyText', 'Why'],
      ['BodyText', 'It is so.'],
      ['ListNumber', '3.\tthree'],
      ['ListBullet', 'inner'],
      ['ListNumber', '4.\tfour'],
      ['Quote', 'said'],
      ['Code', 'a  b'],
    ])
      assert.ok(
        paragraphs.some(([style, text]) => style === expected[0] && text === expected[1]),
        `${expected} is missing`,
      );
  });

  test('links only to the web; any other address is text', async () => {
    const references = [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'https://example.com/a b?c=%zz&d=<e>',
      'http://[::1]/x[1]',
    ];
    const word = await write([reportFinding(0, { references })], { analysis: null });
    const targets = named(word.xml.get('word/_rels/document.xml.rels')!, 'Relationship')
      .filter((element) => element.attributes.TargetMode === 'External')
      .map((element) => element.attributes.Target);
    assert.deepEqual(targets, ['https://example.com/a%20b?c=%25zz&d=%3Ce%3E', 'http://[::1]/x%5B1%5D']);
    for (const address of references) assert.ok(textOf(bodyOf(word)).includes(address));
  });
});

describe('comments', () => {
  test('of more than 2,000 characters are shortened, with a note', async () => {
    const body = await written({
      comments: [{ author: 'Ada', created_at: at, comment: 'y'.repeat(2_345) }],
      comment_count: 1,
    });
    assert.ok(textOf(body).includes(`${'y'.repeat(2_000)}\nTruncated: the full text has 2,345 characters.`));
  });

  test('state their total number if only the newest are shown', async () => {
    const comments = Array.from({ length: 20 }, (_, index) => ({
      author: 'Ada',
      created_at: at,
      comment: `No. ${index}`,
    }));
    assert.ok(textOf(await written({ comments, comment_count: 31 })).includes('Comments (newest 20 of 31)'));
  });
});

test('a closed finding shows when and how it was closed', async () => {
  const closed = (changes: Partial<ReportFinding>) => written({ closed_at: at, ...changes }).then(textOf);
  assert.match(
    await closed({ status: 'resolved', resolution: 'fixed' }),
    /Resolved on 1 November 2026: no longer found by a scan/,
  );
  assert.match(await closed({ status: 'resolved', resolution: null }), /Resolved on 1 November 2026 by a person/);
  assert.match(
    await closed({ status: 'resolved', resolution: 'data_source_removed' }),
    /Resolved on 1 November 2026: data source removed/,
  );
  assert.match(await closed({ status: 'false_positive', resolution: null }), /False positive on 1 November 2026/);
  const accepted = { status: 'accepted_risk', resolution: null } as const;
  assert.match(await closed({ ...accepted, accepted_until: '2027-01-01T00:00:00Z' }), /until 1 January 2027/);
  assert.match(
    await closed({ ...accepted, accepted_until: null }),
    /Accepted risk on 1 November 2026, with no expiry date/,
  );
});

test('control characters of a title become visible marks, and none is in the file', async () => {
  const title = 'a\u0000b\u001Bc\uD800d\u202Ee';
  const text = textOf(await written({ title }));
  assert.ok(text.includes(plainText(title, { line: true })));
  assert.doesNotMatch(text, /[\u0000-\u0008\u000B-\u001F\u202E]/);
});
