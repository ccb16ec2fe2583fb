import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSource } from '../check-source.ts';
import { registerGrammars } from '../languages/index.ts';
import type { LanguageName } from '../languages/language.ts';
import { loadRuleBook } from '../rule-book.ts';

registerGrammars();
const rules = [...(await loadRuleBook()).rules.values()];

/** A title, the language and its extension, safe code, and similar code with the weakness. */
type Pair = [title: string, language: LanguageName, extension: string, safe: string, unsafe: string];

const view = (statements: string) =>
  `class A(View):\n    def __init__(self, title):\n        self.title = title\n    def get(self, request):\n        ${statements}\n`;
const controller = (statements: string) =>
  `<?php class A extends Controller { public function f(Request $request) { ${statements} } }`;
const action = (statements: string) =>
  `class A < ApplicationController\n  def show\n    ${statements}\n  end\n  def other\n    path = params[:path]\n  end\nend\n`;

const pairs: Pair[] = [
  [
    'a method of another file gets the request',
    'python',
    'py',
    view('return redirect(self.next_address(request))'),
    view('return redirect(request.GET["next"])'),
  ],
  [
    'a method of the own object, which also holds a parameter',
    'python',
    'py',
    view('return mark_safe(self.render_rows() + self.footer())'),
    view('return mark_safe("<b>" + self.title + "</b>")'),
  ],
  [
    'what a form returns that was made of input',
    'python',
    'py',
    view('form = Form(request.POST)\n        page = form.save()\n        return redirect(page.address())'),
    view('address = clean_up(request.POST["next"])\n        return redirect(address)'),
  ],
  [
    'the name of the table of a model',
    'python',
    'py',
    'def forwards(models, cursor):\n    page = models.load("Page")\n    cursor.execute("delete from %s" % page._meta.db_table)\n',
    'def forwards(models, cursor):\n    cursor.execute("delete from %s" % models)\n',
  ],
  [
    'attributes that a function escapes',
    'python',
    'py',
    'def image(attrs):\n    return mark_safe(f"<img{flatatt(attrs)}>")\n',
    'def image(attrs):\n    return mark_safe(f"<img{attrs}>")\n',
  ],
  [
    'parts that are rendered and joined',
    'python',
    'py',
    view('rows = [row.render_html(request.GET) for row in table]\n        return mark_safe("".join(rows))'),
    view('rows = [request.GET["a"]]\n        return mark_safe("".join(rows))'),
  ],
  [
    'the address of an object that was found by input',
    'php',
    'php',
    controller('$book = $this->books->copy($request->get("name")); return redirect($book->getUrl());'),
    controller('$url = $this->trimmed($request->get("url")); return redirect($url);'),
  ],
  [
    'the text of a query that a builder made',
    'php',
    'php',
    '<?php function f($alias) { $sub = DB::table($alias); return $query->selectRaw("EXISTS({$sub->toSql()})"); }',
    '<?php function f($alias) { return $query->selectRaw("EXISTS(select 1 from {$alias})"); }',
  ],
  [
    'a request of the browser to its own server',
    'javascript',
    'js',
    'const page = new URLSearchParams(window.location.search).get("page"); fetch(page);',
    'app.get("/", (req, res) => { const page = req.query.page; fetch(page); });',
  ],
  [
    'the text of a response',
    'javascript',
    'js',
    'fetch(window.location.href).then((response) => response.text()).then((text) => { target.innerHTML = text; });',
    'target.innerHTML = decodeURIComponent(window.location.hash);',
  ],
  [
    'the value of an element that is appended',
    'javascript',
    'js',
    'const input = document.createElement("input"); input.value = window.location.search; $(".form").append(input);',
    'const input = "<input value=" + window.location.search + ">"; $(".form").append(input);',
  ],
  [
    'the query of an address of the page',
    'javascript',
    'js',
    'const url = new URL(button.href, window.location.href); url.search = window.location.search; window.location.href = url.toString();',
    'const url = new URL(window.location.hash.slice(1), window.location.href); window.location.href = url.toString();',
  ],
  [
    'a variable of the same name in another method',
    'ruby',
    'rb',
    action('send_file path'),
    action('path = params[:file]\n    send_file path'),
  ],
  [
    'the parameter of a block in another method',
    'ruby',
    'rb',
    `class A < ApplicationController\n  def all\n    params[:ids].each { |name| log(name) }\n  end\n  def show\n    send_file name\n  end\nend\n`,
    `class A < ApplicationController\n  def all\n    params[:ids].each { |name| send_file name }\n  end\nend\n`,
  ],
  [
    'a tag that a function writes',
    'python',
    'py',
    'def picture(image, attrs):\n    return mark_safe(f"<picture>{image.img_tag(attrs)}</picture>")\n',
    'def picture(image, attrs):\n    return mark_safe(f"<picture>{attrs}</picture>")\n',
  ],
  [
    'values that are bound to the text of a query',
    'ruby',
    'rb',
    action('User.where(["name = ?", params[:name]])'),
    action('User.where("name = \'#{params[:name]}\'")'),
  ],
  [
    'tags that helpers write',
    'ruby',
    'rb',
    action('links = [content_tag("li", params[:q])]\n    links.join(" ").html_safe'),
    action('links = ["<li>#{params[:q]}</li>"]\n    links.join(" ").html_safe'),
  ],
  [
    'an argument that is quoted for a shell',
    'ruby',
    'rb',
    action('system("convert #{shell_quote(params[:name])}")'),
    action('system("convert #{params[:name]}")'),
  ],
  [
    'a translation, and escaped text with line breaks',
    'template',
    'blade',
    "{!! nl2br(htmlentities($note)) !!} {!! $page->forExport() !!} {!! trans('hello') !!}",
    '{!! nl2br($note) !!}',
  ],
  [
    'a translation',
    'template',
    'hbs',
    '<p>{{{i18n.welcome}}}{{{translations.title}}}</p>',
    '<p>{{{comment.title}}}</p>',
  ],
];

const finds = (language: LanguageName, extension: string, source: string) =>
  checkSource(rules, language, extension, Buffer.from(source)).hits.length > 0;

test('what methods and objects of other files return is not the input that made them', () => {
  assert.deepEqual(
    pairs.filter(([, language, extension, safe]) => finds(language, extension, safe)).map(([title]) => title),
    [],
  );
});

test('input itself is found where it is used in the same way', () => {
  assert.deepEqual(
    pairs.filter(([, language, extension, , unsafe]) => !finds(language, extension, unsafe)).map(([title]) => title),
    [],
  );
});
