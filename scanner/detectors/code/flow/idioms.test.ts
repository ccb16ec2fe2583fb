import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSource } from '../check-source.ts';
import { registerGrammars } from '../languages/index.ts';
import type { LanguageName } from '../languages/language.ts';
import { loadRuleBook } from '../rule-book.ts';

registerGrammars();
const rules = [...(await loadRuleBook()).rules.values()];

const extensions: Record<LanguageName, string> = {
  ...{ javascript: 'js', python: 'py', go: 'go', java: 'java', ruby: 'rb', php: 'php', csharp: 'cs', template: 'html' },
};

/** The title of a pair, its language, safe code, and the same code with the weakness that the first avoids. */
type Pair = [title: string, language: LanguageName, safe: string, unsafe: string];

/** Handlers of each language, around statements that use the request or its parameter `name`. */
const inHandler: Partial<Record<LanguageName, (statements: string) => string>> = {
  javascript: (statements) =>
    `app.get('/', async (req, res) => {\n  const { name, ids } = req.query;\n${statements}\n});`,
  python: (statements) =>
    `@app.route('/')\ndef f():\n    name = request.args['name']\n    ids = request.args.getlist('ids')\n${statements}`,
  java: (statements) =>
    `class A { @GetMapping("/") Object f(@RequestParam String name, @RequestParam List<String> ids) throws Exception {\n${statements}\n} }`,
  php: (statements) => `<?php\n$name = $_GET['name'];\n$ids = $_GET['ids'];\n${statements}`,
  ruby: (statements) =>
    `class A < ApplicationController\n  def show\n    ids = params[:ids]\n${statements}\n  end\nend`,
  csharp: (statements) =>
    `class A : Controller { [HttpGet] public IActionResult F(string name, string[] ids) {\n${statements}\n} }`,
  go: (statements) =>
    `package a\nfunc f(w http.ResponseWriter, r *http.Request) {\n\tname := r.FormValue("name")\n\tids := r.Form["ids"]\n${statements}\n}`,
};

const pairs: Pair[] = [
  [
    'a condition in parentheses',
    'ruby',
    '    uri = URI(params[:to])\n    redirect_to uri.path if uri && (uri.host.blank? || uri.host == own_host)',
    '    uri = URI(params[:to])\n    redirect_to uri.path if uri && (uri.port.zero? || uri.scheme)',
  ],
  [
    'a field of what an unknown function finds for a single value',
    'javascript',
    'const { hook } = req.params; const found = await hooks.findOne({ where: { hook } }); await fetch(found.url);',
    'const { hook } = req.params; const found = await hooks.addressOf({ where: { hook } }); await fetch(found);',
  ],
  [
    'fields of a whole form are input',
    'javascript',
    'const found = await complete(req.params.id); res.redirect(found.url);',
    'const found = await complete(req.body); res.redirect(found.url);',
  ],
  [
    'only harmless characters are kept',
    'php',
    "include 'pages/' . preg_replace('/[^a-z0-9_]/', '', $name) . '.php';",
    "include 'pages/' . preg_replace('/[^a-z0-9_\\/.]/', '', $name) . '.php';",
  ],
  [
    'only harmless characters are kept, everywhere',
    'javascript',
    "await db.query('select * from users order by ' + name.replace(/[^a-z]/g, ''));",
    "await db.query('select * from users order by ' + name.replace(/[^a-z]/, ''));",
  ],
  [
    'a signature of the value is compared',
    'python',
    "    expected = hmac.new(key, name.encode(), 'sha256').hexdigest()\n    if not hmac.compare_digest(expected, request.args['signature']):\n        abort(403)\n    return redirect(name)",
    "    expected = hmac.new(key, ids[0].encode(), 'sha256').hexdigest()\n    if not hmac.compare_digest(expected, request.args['signature']):\n        abort(403)\n    return redirect(name)",
  ],
  [
    'a function compares a signature of the value',
    'javascript',
    "if (!isSigned(name, req.query.signature)) return res.sendStatus(403); res.redirect(name); function isSigned(value, given) { return createHmac('sha256', key).update(value).digest('hex') === given; }",
    "if (!isSigned(name, req.query.signature)) return res.sendStatus(403); res.redirect(name); function isSigned(value, given) { return createHmac('sha256', key).update('a').digest('hex') === given; }",
  ],
  [
    'a constant prefix of an attribute',
    'python',
    "    return getattr(handlers, 'handle_' + name)()",
    '    return getattr(handlers, name)()',
  ],
  [
    'the first of several results of a check',
    'go',
    'ok, err := isOwn(name)\nif err != nil || !ok {\n\tname = "/"\n}\nhttp.Redirect(w, r, name, 302)\n}\nfunc isOwn(name string) (bool, error) {\n\tu, err := url.Parse(name)\n\tif err != nil {\n\t\treturn false, err\n\t}\n\treturn u.Host == own, nil',
    'ok, err := isLong(name)\nif err != nil || !ok {\n\tname = "/"\n}\nhttp.Redirect(w, r, name, 302)\n}\nfunc isLong(name string) (bool, error) {\n\treturn len(name) > 9, nil',
  ],
  [
    'a field of what an unknown function finds for input',
    'go',
    'doc, err := a.docs.ByName(r.Context(), name)\nos.Open(doc.Path)',
    'doc, err := a.docs.ByName(r.Context(), name)\nos.Open(doc)',
  ],
  [
    'a field of a parsed text is input',
    'go',
    'doc, err := a.docs.ByName(name)\nhttp.Redirect(w, r, doc.Address, 302)',
    'doc, err := parser.ParseAddress(name)\nhttp.Redirect(w, r, doc.Address, 302)',
  ],
  [
    'a format writes input after the host',
    'go',
    'http.Get(fmt.Sprintf("%s/users/%s", a.address, name))',
    'http.Get(fmt.Sprintf("%s/users/%s", name, a.address))',
  ],
  [
    'a tagged template binds its values',
    'javascript',
    'await db.execute(sql`select * from users where name = ${name}`);',
    'await db.execute(`select * from users where name = ${name}`);',
  ],
  [
    'a tagged template binds its values, except raw ones',
    'javascript',
    'await db.execute(sql`select * from users where name = ${name} order by ${sql.identifier(column)}`);',
    'await db.execute(sql`select * from users where name = ${sql.raw(name)}`);',
  ],
  [
    'a tagged template in a variable',
    'javascript',
    'const query = SQL`select * from users where name = ${name}`; query.append(SQL` and id = ${ids}`); await pool.query(query);',
    'const query = SQL`select * from users where name = 1`; query.append(` and id = ${ids}`); await pool.query(query);',
  ],
  [
    'a tag with a type',
    'javascript',
    'await pool.query(sql.type(user)`select * from users where name = ${name}`);',
    'await pool.query(String.raw`select * from users where name = ${name}`);',
  ],
  [
    'a list of placeholders',
    'javascript',
    "const marks = ids.map(() => '?').join(','); await pool.query(`select * from users where id in (${marks})`, ids);",
    "const marks = ids.map((id) => `'${id}'`).join(','); await pool.query(`select * from users where id in (${marks})`, ids);",
  ],
  [
    'a list of numbered placeholders',
    'javascript',
    "await pool.query('select * from users where id in (' + ids.map((_, index) => `$${index + 1}`).join(', ') + ')', ids);",
    "await pool.query('select * from users where id in (' + ids.map((id, index) => `${id}`).join(', ') + ')', ids);",
  ],
  [
    'placeholders of an array that is filled',
    'javascript',
    "await pool.query(`select * from users where id in (${Array(ids.length).fill('?').join(',')})`, ids);",
    "await pool.query(`select * from users where id in (${Array(1).fill(ids).join(',')})`, ids);",
  ],
  [
    'placeholders that are added one by one',
    'javascript',
    "await pool.query(ids.reduce((text, id, index) => `${text}, $${index + 1}`, 'select * from users where id in (0') + ')', ids);",
    "await pool.query(ids.reduce((text, id) => `${text}, ${id}`, 'select * from users where id in (0') + ')', ids);",
  ],
  [
    'placeholders of a stream',
    'java',
    'String marks = ids.stream().map(id -> "?").collect(Collectors.joining(",")); return jdbc.queryForList("select * from users where id in (" + marks + ")", ids.toArray());',
    'String marks = ids.stream().map(id -> "\'" + id + "\'").collect(Collectors.joining(",")); return jdbc.queryForList("select * from users where id in (" + marks + ")", ids.toArray());',
  ],
  [
    'placeholders of a stream that a method maps',
    'java',
    'String marks = ids.stream().map(id -> "?").toList().toString(); return jdbc.queryForList("select * from users where id in (" + marks + ")");',
    'String marks = ids.stream().map(String::trim).collect(Collectors.joining(",")); return jdbc.queryForList("select * from users where id in (" + marks + ")");',
  ],
  [
    'placeholders of array_map',
    'php',
    "$marks = implode(',', array_map(fn($id) => '?', $ids)); $pdo->prepare(\"select * from users where id in ($marks)\")->execute($ids);",
    '$marks = implode(\',\', array_map(fn($id) => "\'$id\'", $ids)); $pdo->prepare("select * from users where id in ($marks)")->execute($ids);',
  ],
  [
    'numbers of array_map',
    'php',
    "$list = implode(',', array_map('intval', $ids)); $pdo->query(\"select * from users where id in ($list)\");",
    "$list = implode(',', array_map('trim', $ids)); $pdo->query(\"select * from users where id in ($list)\");",
  ],
  [
    'placeholders of a comprehension',
    'python',
    "    marks = ','.join('%s' for _ in ids)\n    cursor.execute(f'select * from users where id in ({marks})', ids)\n",
    "    marks = ','.join(i for i in ids)\n    cursor.execute(f'select * from users where id in ({marks})', ids)\n",
  ],
  [
    'numbers of a map',
    'python',
    "    marks = ','.join(map(lambda _: '%s', ids))\n    cursor.execute(f'select * from users where id in ({marks})', ids)\n",
    "    marks = ','.join(map(str, ids))\n    cursor.execute(f'select * from users where id in ({marks})', ids)\n",
  ],
  [
    'placeholders of a block',
    'ruby',
    "    marks = ids.map { '?' }.join(',')\n    connection.execute(\"select * from users where id in (#{marks})\")",
    '    marks = ids.map { |id| "\'#{id}\'" }.join(\',\')\n    connection.execute("select * from users where id in (#{marks})")',
  ],
  [
    'numbers of a block',
    'ruby',
    '    list = ids.map(&:to_i).join(\',\')\n    connection.execute("select * from users where id in (#{list})")',
    '    list = ids.map(&:strip).join(\',\')\n    connection.execute("select * from users where id in (#{list})")',
  ],
  [
    'placeholders of a query of lists',
    'csharp',
    'var marks = string.Join(",", ids.Select((_, i) => "@p" + i)); return Ok(new SqlCommand($"select * from users where id in ({marks})", connection));',
    'var marks = string.Join(",", ids.Select(id => "\'" + id + "\'")); return Ok(new SqlCommand($"select * from users where id in ({marks})", connection));',
  ],
  [
    'a relative path that stays inside',
    'javascript',
    "const file = path.join(root, name); if (path.relative(root, file).startsWith('..')) return res.sendStatus(404); fs.readFile(file, done);",
    'const file = path.join(root, name); log(path.relative(root, file)); fs.readFile(file, done);',
  ],
  [
    'a relative path in a variable',
    'javascript',
    "const file = path.join(root, name); const inner = path.relative(root, file); if (inner.startsWith('..') || path.isAbsolute(inner)) return res.sendStatus(404); fs.readFile(file, done);",
    'const file = path.join(root, name); const inner = path.relative(root, file); if (!inner) return res.sendStatus(404); fs.readFile(file, done);',
  ],
  [
    'a common path',
    'python',
    '    path = os.path.realpath(os.path.join(BASE, name))\n    if os.path.commonpath([path, BASE]) != BASE:\n        abort(404)\n    return open(path).read()\n',
    '    path = os.path.realpath(os.path.join(BASE, name))\n    if not path:\n        abort(404)\n    return open(path).read()\n',
  ],
  [
    'a common prefix',
    'python',
    '    path = os.path.abspath(os.path.join(BASE, name))\n    if os.path.commonprefix((BASE, path)) == BASE:\n        return open(path).read()\n',
    '    path = os.path.abspath(os.path.join(BASE, name))\n    if os.path.exists(path):\n        return open(path).read()\n',
  ],
  [
    'a relative path of pathlib',
    'python',
    '    path = (BASE / name).resolve()\n    path.relative_to(BASE)\n    return open(path).read()\n',
    '    path = (BASE / name).resolve()\n    return open(path).read()\n',
  ],
  [
    'a parent of pathlib',
    'python',
    '    path = (BASE / name).resolve()\n    if BASE not in path.parents:\n        abort(404)\n    return open(path).read()\n',
    '    path = (BASE / name).resolve()\n    if not path.exists():\n        abort(404)\n    return open(path).read()\n',
  ],
  [
    'a path inside another',
    'java',
    'Path file = BASE.resolve(name).normalize(); if (!file.startsWith(BASE)) throw new NotFound(); return Files.readAllBytes(file);',
    'Path file = BASE.resolve(name).normalize(); if (!Files.exists(file)) throw new NotFound(); return Files.readAllBytes(file);',
  ],
  [
    'a canonical path inside another',
    'java',
    'File file = new File(BASE, name); if (!file.getCanonicalPath().startsWith(BASE.getCanonicalPath() + File.separator)) throw new NotFound(); return new FileInputStream(file);',
    'File file = new File(BASE, name); if (!file.getCanonicalFile().exists()) throw new NotFound(); return new FileInputStream(file);',
  ],
  [
    'a canonical path in a variable',
    'java',
    'File file = new File(BASE, name); String canonical = file.getCanonicalPath(); if (!canonical.startsWith(ROOT)) { throw new NotFound(); } return new FileInputStream(file);',
    'File file = new File(BASE, name); String canonical = file.getCanonicalPath(); if (canonical.isEmpty()) { throw new NotFound(); } return new FileInputStream(file);',
  ],
  [
    'a real path inside another',
    'php',
    "$path = realpath('/files/' . $name); if ($path === false || !str_starts_with($path, '/files/')) { http_response_code(404); exit; } readfile($path);",
    "$path = realpath('/files/' . $name); if ($path === false) { http_response_code(404); exit; } readfile($path);",
  ],
  [
    'a real path whose prefix has a position',
    'php',
    "$path = realpath($base . '/' . $name); if (strpos($path, $base) !== 0) die('no'); readfile($path);",
    "$path = realpath($base . '/' . $name); if (!$path) die('no'); readfile($path);",
  ],
  [
    'a real path whose beginning is compared',
    'php',
    "$path = realpath($base . '/' . $name); if ($path && strncmp($path, $base, strlen($base)) === 0) { readfile($path); }",
    "$path = realpath($base . '/' . $name); if ($path && is_file($path)) { readfile($path); }",
  ],
  [
    'a real path whose beginning is taken',
    'php',
    "$path = realpath($base . '/' . $name); if (substr($path, 0, strlen($base)) !== $base) { die('no'); } readfile($path);",
    "$path = realpath($base . '/' . $name); if (substr($path, -1) === '/') { die('no'); } readfile($path);",
  ],
  [
    'a relative path of Go',
    'go',
    '\tfile := filepath.Join(root, name)\n\trel, err := filepath.Rel(root, file)\n\tif err != nil || strings.HasPrefix(rel, "..") {\n\t\thttp.NotFound(w, r)\n\t\treturn\n\t}\n\tos.ReadFile(file)',
    '\tfile := filepath.Join(root, name)\n\trel, err := filepath.Rel(root, file)\n\tif err != nil || rel == "" {\n\t\tlog.Println(rel)\n\t}\n\tos.ReadFile(file)',
  ],
  [
    'a local path of Go',
    'go',
    '\tif !filepath.IsLocal(name) {\n\t\thttp.NotFound(w, r)\n\t\treturn\n\t}\n\tos.ReadFile(filepath.Join(root, name))',
    '\tif name == "" {\n\t\thttp.NotFound(w, r)\n\t\treturn\n\t}\n\tos.ReadFile(filepath.Join(root, name))',
  ],
  [
    'a full path inside another',
    'csharp',
    'var path = Path.GetFullPath(Path.Combine(root, name)); if (!path.StartsWith(root)) return NotFound(); return Ok(System.IO.File.ReadAllText(path));',
    'var path = Path.GetFullPath(Path.Combine(root, name)); if (!Exists(path)) return NotFound(); return Ok(System.IO.File.ReadAllText(path));',
  ],
  [
    'a relative path of .NET',
    'csharp',
    'var path = Path.Combine(root, name); if (Path.GetRelativePath(root, path).StartsWith("..")) return NotFound(); return Ok(System.IO.File.ReadAllText(path));',
    'var path = Path.Combine(root, name); if (Path.GetRelativePath(root, path).Length > 90) return NotFound(); return Ok(System.IO.File.ReadAllText(path));',
  ],
  [
    'an expanded path inside another',
    'ruby',
    '    path = File.expand_path(params[:name], ROOT)\n    return head(:not_found) unless path.start_with?(ROOT)\n    send_file path',
    '    path = File.expand_path(params[:name], ROOT)\n    return head(:not_found) unless File.exist?(path)\n    send_file path',
  ],
  [
    'a URL of the own host',
    'ruby',
    '    redirect_to url_from(params[:next]) || root_path',
    '    redirect_to params[:next] || root_path',
  ],
  [
    'a column from a table',
    'python',
    "    column = SORTS.get(name, 'id')\n    cursor.execute(f'select * from users order by {column}')\n",
    "    column = SORTS.get('a', name)\n    cursor.execute(f'select * from users order by {column}')\n",
  ],
  [
    'a column from a table',
    'java',
    'Map<String, String> columns = Map.of("a", "b"); String column = columns.getOrDefault(name, "id"); return jdbc.queryForList("select * from users order by " + column);',
    'Map<String, String> columns = Map.of("a", name); String column = columns.getOrDefault(key, "id"); return jdbc.queryForList("select * from users order by " + column);',
  ],
  [
    'a column from a table',
    'csharp',
    'var columns = new Dictionary<string, string> { ["a"] = "b" }; return Ok(connection.Query($"select * from users order by {columns.GetValueOrDefault(name, "id")}"));',
    'return Ok(connection.Query($"select * from users order by {name ?? "id"}"));',
  ],
  [
    'columns that are known',
    'java',
    'return jdbc.queryForList("select " + ids.stream().filter(COLUMNS::contains).collect(Collectors.joining(",")) + " from users");',
    'return jdbc.queryForList("select " + ids.stream().filter(Objects::nonNull).collect(Collectors.joining(",")) + " from users");',
  ],
  [
    'columns that are known',
    'csharp',
    'return Ok(connection.Query($"select {string.Join(",", ids.Where(c => Allowed.Contains(c)))} from users"));',
    'return Ok(connection.Query($"select {string.Join(",", ids.Where(c => c != null))} from users"));',
  ],
  [
    'columns that are known',
    'javascript',
    "const columns = Object.keys(req.body).filter((key) => known.includes(key)); await pool.query(`select ${columns.join(', ')} from users`);",
    "const columns = Object.keys(req.body).filter((key) => !known.includes(key)); await pool.query(`select ${columns.join(', ')} from users`);",
  ],
  [
    'columns that are known',
    'ruby',
    '    columns = ids.select { |c| User.column_names.include?(c) }\n    connection.execute("select #{columns.join(\', \')} from users")',
    '    columns = ids.select { |c| c.present? }\n    connection.execute("select #{columns.join(\', \')} from users")',
  ],
  [
    'columns that are known',
    'python',
    '    columns = [c for c in ids if c in COLUMNS]\n    cursor.execute(f"select {\', \'.join(columns)} from users")\n',
    '    columns = [c for c in ids if c not in COLUMNS]\n    cursor.execute(f"select {\', \'.join(columns)} from users")\n',
  ],
  [
    'columns that are known',
    'php',
    "$columns = implode(', ', array_intersect($ids, ['name', 'mail'])); $pdo->query(\"select $columns from users\");",
    '$columns = implode(\', \', array_unique($ids)); $pdo->query("select $columns from users");',
  ],
  [
    'a column that a switch chooses',
    'java',
    'String column = switch (name) { case "name" -> "name"; default -> "id"; }; return jdbc.queryForList("select * from users order by " + column);',
    'String column = switch (kind) { case "name" -> "name"; default -> name; }; return jdbc.queryForList("select * from users order by " + column);',
  ],
  [
    'a column that a switch chooses',
    'csharp',
    'var column = name switch { "name" => "name", _ => "id" }; return Ok(connection.Query($"select * from users order by {column}"));',
    'var column = kind switch { "name" => "name", _ => name }; return Ok(connection.Query($"select * from users order by {column}"));',
  ],
  [
    'a column that a match chooses',
    'php',
    "$column = match ($name) { 'name' => 'name', default => 'id' }; $pdo->query(\"select * from users order by $column\");",
    "$column = match ($kind) { 'name' => 'name', default => $name }; $pdo->query(\"select * from users order by $column\");",
  ],
  [
    'a value that a switch compared',
    'go',
    '\tswitch name {\n\tcase "name", "date":\n\tdefault:\n\t\treturn\n\t}\n\tdb.Query("select * from users order by " + name)',
    '\tswitch name {\n\tcase "name", "date":\n\t\tlog.Println(name)\n\tdefault:\n\t\tlog.Println("other")\n\t}\n\tdb.Query("select * from users order by " + name)',
  ],
  [
    'a value in the case of a switch',
    'javascript',
    "switch (name) { case 'name': await pool.query('select * from users order by ' + name); break; default: res.end(); }",
    "switch (name) { case 'name': res.end(); break; default: await pool.query('select * from users order by ' + name); }",
  ],
  [
    'values beside the text of a query',
    'javascript',
    "await pool.query({ text: 'select * from users where name = $1', values: [name] });",
    'await pool.query({ text: `select * from users where name = ${name}`, values: [] });',
  ],
  [
    'numbers in a format',
    'go',
    '\tquery := "select * from users where true"\n\tfor i := range ids {\n\t\tquery += fmt.Sprintf(" and a = $%d", i+len(ids))\n\t}\n\tdb.Query(query)',
    '\tquery := "select * from users where true"\n\tquery += fmt.Sprintf(" and a = %s and b = %d", name, 1)\n\tdb.Query(query)',
  ],
  ['a number in a format', 'php', "printf('%05d', $name);", "printf('%05d %s', 1, $name);"],
  [
    'an address whose origin is known',
    'javascript',
    'const url = new URL(name, origin);\nif (url.origin !== origin) return res.end();\nres.redirect(url.toString());',
    'const url = new URL(name, origin);\nif (!url) return res.end();\nres.redirect(url.toString());',
  ],
  [
    'an address whose host is known',
    'java',
    'URI uri = new URI(name); if (!"example.com".equals(uri.getHost())) throw new Bad(); return new RedirectView(name);',
    'URI uri = new URI(name); if (uri.getPath() == null) throw new Bad(); return new RedirectView(name);',
  ],
  [
    'an address without a host',
    'python',
    "    if urlparse(name).netloc != '':\n        name = url_for('index')\n    return redirect(name)\n",
    "    if urlparse(name).path != '':\n        log(name)\n    return redirect(name)\n",
  ],
  [
    'an address without a host',
    'go',
    '\tu, err := url.Parse(name)\n\tif err != nil || u.Host != "" {\n\t\treturn\n\t}\n\thttp.Redirect(w, r, u.String(), 302)',
    '\tu, err := url.Parse(name)\n\tif err != nil {\n\t\treturn\n\t}\n\thttp.Redirect(w, r, u.String(), 302)',
  ],
  [
    'a path that begins at the root before it is joined',
    'go',
    '\thttp.ServeFile(w, r, filepath.Join(root, filepath.Clean("/"+name)))',
    '\thttp.ServeFile(w, r, filepath.Clean("/"+name))',
  ],
  [
    'a name without "..",',
    'go',
    '\tif strings.Contains(name, "..") {\n\t\treturn\n\t}\n\tos.ReadFile(filepath.Join(root, name))',
    '\tif strings.Contains(names, name) {\n\t\treturn\n\t}\n\tos.ReadFile(filepath.Join(root, name))',
  ],
  [
    'the name of a path',
    'python',
    '    return open(os.path.join(BASE, Path(name).name)).read()\n',
    '    return open(os.path.join(BASE, Path(name).parent)).read()\n',
  ],
  [
    'a member of an enum',
    'java',
    'return jdbc.queryForList("select * from users order by " + Column.valueOf(name).sql());',
    'return jdbc.queryForList("select * from users order by " + String.valueOf(name));',
  ],
  [
    'a member of an enum',
    'python',
    '    kind = Kind(name)\n    cursor.execute(f"select * from users where kind = \'{kind.value}\'")\n',
    '    kind = Kind(name)\n    cursor.execute(f"select * from users where kind = \'{kind.text}\'")\n',
  ],
  [
    'a redirect to a path or a name of this site, with input after it',
    'javascript',
    'res.redirect(303, `./callback?${new URLSearchParams(req.query)}`);',
    'res.redirect(303, `//${name}`);',
  ],
  [
    'a redirect to a route by a name with input in it',
    'python',
    '    return redirect(f"shop_{name}:edit", pk)\n',
    '    return redirect(f"http{name}")\n',
  ],
  [
    'a redirect to what a signed token contains',
    'javascript',
    'res.redirect(jwt.verify(name, secret).next);',
    'res.redirect(jwt.decode(name).next);',
  ],
  [
    'an attribute that a condition replaces',
    'python',
    '    self.to = name\n    if not self.to or not is_own_address(url=self.to):\n        self.to = "/"\n    return redirect(self.to)\n',
    '    self.to = name\n    if not self.to or not is_own_address(url=self.page):\n        self.to = "/"\n    return redirect(self.to)\n',
  ],
  [
    'a helper with a request and further options',
    'python',
    '    pass\ndef send(request, filename, **options):\n    return FileResponse(open(filename))\n',
    '    pass\ndef send(request, filename):\n    return FileResponse(open(filename))\n',
  ],
  [
    'a parameter of the name that a framework gives to a request',
    'ruby',
    '    def bar(params)\n      "<p style=\'top:#{params[:top]}px\'></p>".html_safe\n    end',
    '    def bar(options)\n      "<p style=\'top:#{params[:top]}px\'></p>".html_safe\n    end',
  ],
  [
    'a note of an object that was looked up by input',
    'java',
    'Note note = sessions.find(name); return new ObjectInputStream(decode(note.getNote(TOKEN)));',
    'Note note = sessions.find(name); return new ObjectInputStream(decode(name));',
  ],
];

/** Parameters that a framework fills with numbers, or with text. */
const parameters: Pair[] = [
  [
    'a UUID',
    'java',
    'class A { @GetMapping("/") Object f(@RequestParam UUID id) { return jdbc.queryForList("select * from users where id = \'" + id + "\'"); } }',
    'class A { @GetMapping("/") Object f(@RequestParam String id) { return jdbc.queryForList("select * from users where id = \'" + id + "\'"); } }',
  ],
  [
    'numbers',
    'java',
    'class A { @GetMapping("/") Object f(@RequestParam List<Long> ids) { return jdbc.queryForList("select * from users where id in (" + ids.stream().map(String::valueOf).collect(Collectors.joining(",")) + ")"); } }',
    'class A { @GetMapping("/") Object f(@RequestParam List<String> ids) { return jdbc.queryForList("select * from users where id in (" + ids.stream().map(String::valueOf).collect(Collectors.joining(",")) + ")"); } }',
  ],
  [
    'a number',
    'python',
    '@app.get("/{id}")\ndef f(id: int = Path()):\n    cursor.execute(f"select * from users where id = {id}")\n',
    '@app.get("/{id}")\ndef f(id: str = Path()):\n    cursor.execute(f"select * from users where id = {id}")\n',
  ],
  [
    'a number',
    'csharp',
    'class A : Controller { [HttpGet] public IActionResult F([FromQuery] int id) { return Ok(connection.Query($"select * from users where id = {id}")); } }',
    'class A : Controller { [HttpGet] public IActionResult F([FromQuery] string id) { return Ok(connection.Query($"select * from users where id = {id}")); } }',
  ],
];

const findsIn = (language: LanguageName, source: string) =>
  checkSource(rules, language, extensions[language], Buffer.from(source)).hits.length > 0;
const finds = (language: LanguageName, statements: string) => findsIn(language, inHandler[language]!(statements));

test('bound values and paths that stay inside a folder are not found', () => {
  const found = pairs.filter(([, language, safe]) => finds(language, safe));
  assert.deepEqual(
    found.map(([title, language]) => `${language}: ${title}`),
    [],
  );
});

test('the same code without the bound value or the check is found', () => {
  const missed = pairs.filter(([, language, , unsafe]) => !finds(language, unsafe));
  assert.deepEqual(
    missed.map(([title, language]) => `${language}: ${title}`),
    [],
  );
});

/** Input with a name or type that does not make it harmless. */
const input: Array<[LanguageName, string]> = [
  ['javascript', 'const params = name; await pool.query(`select * from users where name = ${params}`);'],
  ['javascript', "const values = name; await pool.query('select * from users where name = ' + (values));"],
  ['python', '    args = name\n    cursor.execute(f"select * from users where name = {args}")\n'],
  ['ruby', '    User.where("name = \'#{params}\'")'],
  [
    'java',
    'switch (name) { case "a": default: return jdbc.queryForList("select * from users where name = \'" + name + "\'"); }',
  ],
  [
    'csharp',
    'switch (name) { case "a": default: return Ok(connection.Query("select * from users where name = \'" + name + "\'")); }',
  ],
];

const typed: Array<[LanguageName, string]> = [
  [
    'java',
    'class A { @GetMapping("/") Object f(@RequestParam Map<String, Integer> limits) { return jdbc.queryForList("select " + limits.keySet() + " from users"); } }',
  ],
  ['python', '@app.post("/a")\ndef f(data: bytes = Body()):\n    return pickle.loads(data)\n'],
  [
    'java',
    'class A { @PostMapping("/") Object f(@RequestBody byte[] data) throws Exception { return new ObjectInputStream(new ByteArrayInputStream(data)).readObject(); } }',
  ],
  [
    'csharp',
    'class A : Controller { [HttpPost] public IActionResult F([FromBody] byte[] data) { return Ok(new BinaryFormatter().Deserialize(new MemoryStream(data))); } }',
  ],
];

test('input stays harmful under any name, as bytes, and as the keys of numbers', () => {
  assert.deepEqual(
    [
      ...input.filter(([language, statements]) => !finds(language, statements)),
      ...typed.filter(([language, source]) => !findsIn(language, source)),
    ],
    [],
  );
});

test('parameters that a framework fills with numbers are not input', () => {
  assert.deepEqual(
    parameters.filter(([, language, numbers, text]) => findsIn(language, numbers) || !findsIn(language, text)),
    [],
  );
});
