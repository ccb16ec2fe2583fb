import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../tests/harness/properties.ts';
import { composeMail, singleLine } from './mail-template.ts';

const anything = fc.string({ unit: 'binary', maxLength: 60 });
const layouts = fc.record({
  subject: anything,
  sender: anything,
  heading: anything,
  lead: anything,
  figures: fc.array(fc.record({ label: anything, value: anything, note: anything }), { maxLength: 3 }),
  paragraphs: fc.array(anything, { maxLength: 2 }),
  footer: fc.array(anything, { maxLength: 2 }),
});

const tagsOf = (html: string) => [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag).join('');

test('whatever a mail contains, its markup is ours and its subject is one line', () => {
  const empty = (text: string) => text.replaceAll(/[\s\S]/gu, 'x');
  checkProperty(
    fc.property(layouts, (layout) => {
      const plain = {
        ...layout,
        figures: layout.figures.map((one) => ({ label: empty(one.label), value: empty(one.value), note: '' })),
        subject: 'x',
        sender: 'x',
        heading: 'x',
        lead: 'x',
        paragraphs: layout.paragraphs.map(empty),
        footer: layout.footer.map(empty),
      };
      const mail = composeMail(layout);
      assert.equal(tagsOf(mail.html), tagsOf(composeMail(plain).html));
      assert.doesNotMatch(mail.subject, /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u);
      assert.ok(mail.subject.isWellFormed() && mail.html.isWellFormed() && mail.text.isWellFormed());
    }),
    { numRuns: 300 },
  );
});

test('a line that is too long ends in an ellipsis, not within a character', () => {
  assert.equal(singleLine('🔥🔥🔥🔥', 3), '🔥🔥…');
  assert.equal(singleLine('a\r\nb\u2028c\u0000d', 50), 'a b c d');
});

test('both forms have the same content and link', () => {
  const { text, html } = composeMail({
    subject: 's',
    sender: 'Sender',
    heading: 'Heading',
    lead: 'The lead.',
    figures: [{ label: 'Open', value: '3', note: 'of 5' }],
    paragraphs: ['A paragraph.'],
    action: { label: 'Look', url: 'https://example.com/?a=1&b=2' },
    footer: ['Ask Ada.'],
  });
  assert.equal(
    text,
    'Heading\n=======\n\nThe lead.\n\nOpen: 3 (of 5)\n\nA paragraph.\n\nLook:\nhttps://example.com/?a=1&b=2\n\n--\nAsk Ada.\n',
  );
  for (const part of ['Heading', 'The lead.', '3', 'of 5', 'A paragraph.', 'Ask Ada.']) assert.ok(html.includes(part));
  assert.ok(html.includes('href="https://example.com/?a=1&amp;b=2"'));
});
