import assert from 'node:assert/strict';
import { test } from 'node:test';
import { erb, jsp, razor } from './templates.ts';

const hostile = [
  '<%'.repeat(200_000),
  '@Html.Raw('.repeat(50_000),
  '<%=%>',
  '<%--%>',
  '<%',
  '%>',
  '<%==',
  '@Html.Raw(a)',
];

test('the code of a template keeps its position', () => {
  assert.equal(erb.toCode('<p><%= raw a %>\n<%== b -%></p><%# c %>', '').trimEnd(), '       raw a ; \nraw  b  ;');
  assert.equal(jsp.toCode('<b><%= a %></b><%@ page %>', '').trimEnd(), '    _( a );');
  assert.equal(razor.toCode('<b>@Html.Raw(f(a)) @b</b>', '').trimEnd(), '   ;Html.Raw(f(a));');
  assert.equal(razor.toCode('<b>@(new HtmlString(a))</b>', '').trimEnd(), '   ; new HtmlString(a);');
  assert.equal(jsp.toCode('<c:out value="${a.b}" escapeXml="false"/>', '').trim(), '$(a.b);');
  assert.equal(jsp.toCode('<c:out value="${a.b}"/>', '').trim(), '');
  for (const { toCode } of [erb, jsp, razor])
    for (const text of [...hostile, 'a\n<% b %>\nc @Html.Raw(d)\n']) {
      const code = toCode(text, '');
      assert.equal(code.length, text.length);
      assert.deepEqual(
        [...code.matchAll(/\n/g)].map(({ index }) => index),
        [...text.matchAll(/\n/g)].map(({ index }) => index),
      );
    }
});
