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
    'a list of arguments without a shell',
    'python',
    'py',
    view(
      'args = ["convert", request.GET["a"]]; subprocess.run(args); subprocess.Popen(["git", "log", request.GET["b"]], shell=False)',
    ),
    view('subprocess.run("convert " + request.GET["a"], shell=True)'),
  ],
  [
    'a list of arguments that grows',
    'python',
    'py',
    'def build(target, *rest):\n    command = ["make"]\n    command.append(target)\n    command += list(rest)\n    return subprocess.check_output(command)\n',
    'def build(target):\n    return subprocess.check_output("make " + target, shell=True)\n',
  ],
  [
    'a list of arguments for a coroutine',
    'python',
    'py',
    'async def build(target):\n    await asyncio.create_subprocess_exec("make", target)\n    os.execvp("make", ["make", target])\n    os.spawnlp(os.P_WAIT, "make", "make", target)\n',
    'async def build(target):\n    await asyncio.create_subprocess_shell("make " + target)\n',
  ],
  [
    'a list of arguments without a shell',
    'javascript',
    'js',
    'export function f(dir) { const args = ["log", dir]; execFileSync("git", args); spawn("git", [...args, "--"], { cwd: dir, shell: false }); execa("git", args); }',
    'const { execSync } = require("child_process"); app.get("/", (req) => { execSync("git log " + req.query.dir); });',
  ],
  [
    'a list of arguments without a shell',
    'php',
    'php',
    '<?php $p = proc_open(["git", "log", $_GET["a"]], $spec, $pipes); $q = new Process(["git", $_GET["b"]]); pcntl_exec("/usr/bin/git", ["log", $_GET["c"]]); $command = ["git", $_GET["d"]]; proc_open($command, $spec, $pipes);',
    '<?php $p = proc_open("git log " . $_GET["a"], $spec, $pipes);',
  ],
  [
    'a list of arguments without a shell',
    'ruby',
    'rb',
    action(
      'system("git", "log", params[:a]); IO.popen(["git", "log", params[:b]]); Open3.capture2e(*["git", params[:c]]); command = ["git", params[:d]]; system(*command); IO.popen(command)',
    ),
    action('IO.popen("git log #{params[:a]}")'),
  ],
  [
    'a list of arguments without a shell',
    'java',
    'java',
    'class A { @GetMapping("/") void f(@RequestParam String a) { Runtime.getRuntime().exec(new String[] {"git", "log", a}); new ProcessBuilder(List.of("git", "log", a)).start(); List<String> args = new ArrayList<>(); args.add("git"); args.add(a); new ProcessBuilder(args).start(); new ProcessBuilder().command("git", a); String[] more = {"git", a}; Runtime.getRuntime().exec(more); new ProcessBuilder(Arrays.asList("git", a)).start(); } }',
    'class A { @GetMapping("/") void f(@RequestParam String a) { Runtime.getRuntime().exec(new String[] {"sh", "-c", a}); } }',
  ],
  [
    'a list of arguments for another program',
    'java',
    'java',
    'class A { @GetMapping("/") void f(@RequestParam String a) { new ProcessBuilder(List.of("git", "log", a)).start(); } }',
    'class A { @GetMapping("/") void f(@RequestParam String a) { new ProcessBuilder(List.of("bash", "-c", a)).start(); } }',
  ],
  [
    'a list of arguments without a shell',
    'csharp',
    'cs',
    'class A : Controller { public IActionResult F(string a) { var info = new ProcessStartInfo("git"); info.ArgumentList.Add(a); Process.Start(info); Process.Start("git", new[] { "log", a }); var b = new ProcessStartInfo("git", new List<string> { "log", a }); Process.Start(new ProcessStartInfo { FileName = "git", ArgumentList = { "log", a } }); return Ok(); } }',
    'class A : Controller { public IActionResult F(string a) { Process.Start("cmd.exe", "/c " + a); return Ok(); } }',
  ],
  [
    'a list of arguments without a shell',
    'go',
    'go',
    'package a\nfunc f(w http.ResponseWriter, r *http.Request) { exec.Command("git", "log", r.FormValue("a")).Run(); args := []string{"log", r.FormValue("b")}; exec.Command("git", args...).Run(); exec.CommandContext(r.Context(), "git", r.FormValue("c")).Run() }\n',
    'package a\nfunc f(w http.ResponseWriter, r *http.Request) { exec.Command("sh", "-c", r.FormValue("a")).Run() }\n',
  ],
  [
    'a client that reads its own token',
    'javascript',
    'js',
    'export const user = () => jwt.decode(localStorage.getItem("token")); export const ends = (session) => jwtDecode(session.token).exp; const claims = jwt_decode(Cookies.get("token")); if (jwt.decode(token).exp < Date.now()) refresh();',
    'app.get("/", (req, res) => { req.user = jwt.decode(req.headers.authorization); });',
  ],
  [
    'a client that reads its own token',
    'python',
    'py',
    'class Client:\n    def login(self):\n        self.token = self.session.post(url, json=body).json()["access_token"]\n        self.expires = jwt.decode(self.token, options={"verify_signature": False})["exp"]\n',
    'def user():\n    return jwt.decode(request.headers["Authorization"], options={"verify_signature": False})\n',
  ],
  [
    'a client that reads its own token by another variable',
    'python',
    'py',
    'def expires():\n    answer = requests.post(url, json=body)\n    token = answer.json()["id_token"]\n    return jwt.decode(token, options={"verify_signature": False})["exp"]\n',
    'def expires(token):\n    return jwt.decode(token, options={"verify_signature": False})["sub"]\n',
  ],
  [
    'a client that reads its own token',
    'go',
    'go',
    'package a\nfunc (c *Client) expires() (time.Time, error) {\n\tanswer, err := c.source.Token()\n\ttoken, _, err := jwt.NewParser().ParseUnverified(answer.AccessToken, claims)\n\treturn token.Claims.GetExpirationTime()\n}\n',
    'package a\nfunc user(w http.ResponseWriter, r *http.Request) { jwt.NewParser().ParseUnverified(r.Header.Get("Authorization"), claims) }\n',
  ],
  [
    'a client that reads its own token',
    'ruby',
    'rb',
    'class Client\n  def expires\n    answer = Net::HTTP.post(uri, body)\n    token = JSON.parse(answer.body)["access_token"]\n    JWT.decode(token, nil, false).first["exp"]\n  end\nend\n',
    'class A < ApplicationController\n  def show\n    JWT.decode(request.headers["Authorization"], nil, false)\n  end\nend\n',
  ],
  [
    'a page of the same site that is described by its action',
    'ruby',
    'rb',
    action(
      '@a = A.new(params[:a])\n    redirect_to(params[:more] ? { :action => "new", :kind => @a.kind } : { :action => "show", :id => @a })',
    ),
    action('@a = A.new(params[:a])\n    redirect_to({ :action => "show", :host => params[:a] })'),
  ],
  [
    'the address of an action',
    'ruby',
    'rb',
    action('redirect_to(url_for(:controller => "admin", :action => "list", :status => params[:status]))'),
    action('redirect_to(url_for(params[:status]))'),
  ],
  [
    'options of a view that other code sets',
    'python',
    'py',
    'def search(request, attributes=["title", "url"]):\n    return [getattr(page, attribute) for attribute in attributes]\n',
    'def search(request, attribute):\n    return getattr(page, attribute)\n',
  ],
  [
    'attributes that are escaped one by one',
    'python',
    'py',
    'def image(attrs):\n    return mark_safe("<img %s>" % format_html_join(" ", "{0}={1}", attrs.items()))\n',
    'def image(attrs):\n    return mark_safe("<img %s>" % attrs)\n',
  ],
  [
    'what methods of the parts of an object return',
    'python',
    'py',
    'class A:\n    def __init__(self, parts):\n        self.parts = parts\n    def html(self):\n        return mark_safe("".join([part.html() for part in self.parts]))\n',
    'class A:\n    def __init__(self, parts):\n        self.parts = parts\n    def html(self):\n        return mark_safe("".join([part for part in self.parts]))\n',
  ],
  [
    'a condition that a function makes of a parameter',
    'ruby',
    'rb',
    'def self.count(project)\n  ActiveRecord::Base.connection.select_all("select a from b where #{visible_condition(project)}")\nend\n',
    'def self.count(name)\n  ActiveRecord::Base.connection.select_all("select a from b where name = \'#{name}\'")\nend\n',
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

test('results of methods and objects of other files are not the input that created them', () => {
  assert.deepEqual(
    pairs
      .filter(([, language, extension, safe]) => finds(language, extension, safe))
      .map(([title, language]) => `${language}: ${title}`),
    [],
  );
});

test('input itself is found when used in the same way', () => {
  assert.deepEqual(
    pairs
      .filter(([, language, extension, , unsafe]) => !finds(language, extension, unsafe))
      .map(([title, language]) => `${language}: ${title}`),
    [],
  );
});
