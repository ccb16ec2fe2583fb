import assert from 'node:assert/strict';
import { test } from 'node:test';
import { component } from './javascript.ts';
import { template } from './markup.ts';

const codeOf = (text: string, extension: string) =>
  (template.template!.extensions.includes(extension) ? template.template! : component)
    .toCode(text, extension)
    .trim()
    .replaceAll(/\s+/g, ' ');

test('unescaped output is kept, in each template language', () => {
  const examples: Array<[extension: string, text: string, code: string]> = [
    ['ejs', '<p><%- user.bio %></p><%= user.name %>', '_( user.bio );'],
    ['ejs', '<p><%- user.bio -%></p>', '_( user.bio );'],
    ['pug', 'p!= comment\np Hello !{name}, #{b}', '_(comment) _(name);'],
    ['hbs', '<p>{{{user.name}}} {{user.name}} {{&name}}</p>', '_(user.name); _(name);'],
    ['html', '<p>{{ a.b|safe }} {{ a.b }}</p>', '_( a.b);'],
    ['html', '<p th:utext="${user.name}" th:text="${b}"></p>', '_(user.name);'],
    ['twig', '<p>{{ a|raw }}{% autoescape false %}', '_( a); autoescape(false);'],
    ['blade', '<p>{!! $user->name !!} {{ $b }}</p>', '_( $user .name );'],
    ['vue', '<p v-html="a.b">{{ c }}</p>\n<script>\nlet a;\n</script>', '__html(a.b); let a; ;'],
    ['svelte', '<p>{@html a}</p>', '__html(a);'],
  ];
  for (const [extension, text, code] of examples) assert.equal(codeOf(text, extension), code, text);
});

test('layouts, helpers, translations and intended HTML are left out', () => {
  const examples: Array<[extension: string, text: string]> = [
    ['ejs', '<%- include("header") %><%- body %><%- JSON.stringify(a) %><%- a.html %>'],
    ['pug', 'div!= body\ndiv!= include("a")\nif a != b'],
    ['hbs', '{{{body}}}{{{json a}}}{{{post.html}}}{{> partial}}'],
    ['html', '{{ a|escape|safe }}{{ "a"|safe }}{{ _("a")|safe }}{{ form.media|safe }}{{ a || b }}{{ a|tojson|safe }}'],
    ['blade', '{!! Form::open() !!}{!! $users->links() !!}{!! csrf_field() !!}{!! nl2br(e($a)) !!}{!! $slot !!}'],
  ];
  for (const [extension, text] of examples) assert.equal(codeOf(text, extension), '', text);
});

test('code keeps its position, also in hostile text', () => {
  const hostile = [
    '{{'.repeat(100_000),
    '<%-'.repeat(50_000),
    '{{{a\n}}}',
    '{!!',
    '!{',
    'v-html="',
    '<script '.repeat(100_000),
    '{{ a|safe',
  ];
  for (const text of [...hostile, 'a\n{{ b |safe }}\n{{{c}}}\n<%- d\n%>\n!{e}\n{!! f !!}'])
    for (const extension of [...template.template!.extensions, ...component.extensions]) {
      const code = (template.template!.extensions.includes(extension) ? template.template! : component).toCode(
        text,
        extension,
      );
      if (code === '') continue;
      assert.equal(code.length, text.length);
      assert.equal(code.split('\n').length, text.split('\n').length);
    }
});
