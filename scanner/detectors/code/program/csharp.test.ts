import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RepositoryFixture } from '../../../../tests/harness/repository.ts';
import { forEachTest, type ScannedSource } from '../../../../tests/harness/scanned-source.ts';
import { codeDetector } from '../code-detector.ts';

let fixture: RepositoryFixture;
let source: ScannedSource;
forEachTest(codeDetector, (created) => {
  ({ fixture, source } = created);
});

const scan = async () => {
  const found = await source.scan();
  const places = found.map(
    ({ rule, location, confidence }) => `${rule.id} ${location.path}:${location.start_line} ${confidence}`,
  );
  return { found, places: places.sort() };
};

const files = {
  'Web/UserController.cs': `using Microsoft.AspNetCore.Mvc;
using Shop.Users;
using Shop.Texts;
using static Shop.Texts.Picks;
namespace Shop.Web;
[ApiController]
public class UserController : ShopController
{
    private readonly IUserService _users;
    public UserController(IUserService users) { _users = users; }
    [HttpGet("user")] public async Task<IActionResult> Find([FromQuery] string name) => Ok(await _users.FindAsync(name));
    [HttpGet("tidy")] public IActionResult Tidied(string name) => Ok(_users.Look(name.Tidy()));
    [HttpGet("quoted")] public IActionResult Quoted(string name) => Ok(_users.Seek(name.Trim().Quoted("'")));
    [HttpGet("known")] public IActionResult Known(string name) => Ok(_users.See(OneOf(name)));
    [HttpGet("ping")] public IActionResult Ping(string host) => Ok(Reach(host, 3));
    [HttpGet("pong")] public IActionResult Pong(string host) => Ok(Reach(host));
    [HttpGet("read")] public IActionResult Read() { var wanted = new Wanted(); return Ok(LoadFile(wanted.Name(Request))); }
    [HttpGet("both")] public IActionResult Both(string host) { var shell = new Shell(); return Ok(shell.Both(Words.Joined("-m", host))); }
    [HttpGet("route")] public IActionResult Route() { var wanted = new Wanted(); var shell = new Shell(); return Ok(shell.Route(wanted.Host())); }
    [HttpGet("drop")] public IActionResult Drop(int id) => Ok(_users.Drop(id));
}
`,
  'Web/ShopController.cs': `namespace Shop.Web;
public abstract partial class ShopController : ControllerBase
{
    protected string Reach(string host) { return new Shell().Run("home"); }
    protected string Reach(string host, int count) { var shell = new Shell(); return shell.Run("-c " + count + " " + host); }
}
`,
  'Web/ShopController.Files.cs': `namespace Shop.Web;
public abstract partial class ShopController
{
    protected string LoadFile(string name) { return System.IO.File.ReadAllText("/data/" + name); }
}
`,
  'Web/Shell.cs': `using System.Diagnostics;
namespace Shop.Web
{
    class Shell
    {
        public string Run(string arguments) { return Process.Start("ping", arguments).ToString(); }
        public string Resolve(string host) { return Process.Start("sh", $"-c 'host {host}'").ToString(); }
        public string Trace(string host) { return Process.Start("sh", $"-c 'tracepath {host}'").ToString(); }
        public string Both(string words) { return Process.Start("sh", "-c " + words).ToString(); }
        public string Route(string host) { return Process.Start("sh", $"-c 'route {host}'").ToString(); }
    }
}
`,
  'Web/Wanted.cs': `namespace Shop.Web;
public class Wanted
{
    private readonly IHttpContextAccessor _contextAccessor;
    public string Name(HttpRequest request) { return request.Query["name"]; }
    public string Host() { return _contextAccessor.HttpContext.Request.Query["host"]; }
}
`,
  'Other/Shell.cs': `namespace Other;
class Shell
{
    public string Run(string arguments) { return "none"; }
    public string Resolve(string host) { return "none"; }
}
`,
  'Texts/TextExtensions.cs': `namespace Shop.Texts;
public static class TextExtensions
{
    public static string Tidy(this string text) => "number " + Numbers.Whole(text);
    public static string Quoted(this string text, string mark) { return mark + text + mark; }
}
`,
  'Texts/Words.cs': `namespace Shop.Texts;
public static class Words
{
    public static string Joined(params string[] words) { return string.Join(" ", words); }
}
`,
  'Texts/Numbers.cs': `namespace Shop.Texts;
static class Numbers
{
    public static int Whole(string text) => int.Parse(text);
}
`,
  'Texts/Picks.cs': `namespace Shop.Texts;
public static class Picks
{
    static readonly string[] All = { "a", "b" };
    public static string OneOf(string text)
    {
        if (!All.Contains(text)) throw new ArgumentException();
        return text;
    }
}
`,
  'Users/IUserService.cs': `namespace Shop.Users;
public interface IUserService
{
    Task<User> FindAsync(string name);
    User Look(string name);
    User Seek(string name);
    User See(string name);
    User Drop(int id);
}
`,
  'Users/UserService.cs': `using Shop.Db;
namespace Shop.Users;
public class UserService(Rows<User> rows) : IUserService
{
    public async Task<User> FindAsync(string name) => await rows.LoadAsync("SELECT * FROM users WHERE name = '" + name + "'");
    public User Look(string name) { return rows.Look($"SELECT * FROM users WHERE name = '{name}'"); }
    public User Seek(string name) { return rows.Seek($"SELECT * FROM users WHERE name = {name}"); }
    public User See(string name) { return rows.See($"SELECT * FROM users WHERE name = '{name}'"); }
    public User Drop(int id) { return rows.Drop($"DELETE FROM users WHERE id = {id}"); }
}
`,
  'Db/Rows.cs': `namespace Shop.Db;
public class Rows<T>
{
    private readonly ShopContext _context;
    public async Task<T> LoadAsync(string sql) { return await _context.Set<T>().FromSqlRaw(sql).FirstAsync(); }
    public T Look(string sql) { return _context.Set<T>().FromSqlRaw(sql).First(); }
    public T Seek(string sql) { return _context.Set<T>().FromSqlRaw(sql).First(); }
    public T See(string sql) { return _context.Set<T>().FromSqlRaw(sql).First(); }
    public T Drop(string sql) { return _context.Set<T>().FromSqlRaw(sql).First(); }
}
`,
  'Program.cs': `using Shop.Web;
var app = builder.Build();
app.MapGet("/reach/{host}", (string host, Shell shell) => shell.Resolve(host));
app.MapGet("/home", (Shell shell) => shell.Trace("home"));
`,
};

const expected = [
  'csharp-command-injection Web/Shell.cs:10 high',
  'csharp-command-injection Web/Shell.cs:6 high',
  'csharp-command-injection Web/Shell.cs:7 high',
  'csharp-command-injection Web/Shell.cs:9 high',
  'csharp-path-traversal Web/ShopController.Files.cs:4 high',
  'csharp-sql-injection Db/Rows.cs:5 high',
  'csharp-sql-injection Db/Rows.cs:7 high',
];

test('input is followed through interfaces, partial and base classes, extension methods and fields of C#', async () => {
  fixture.commit(files);
  const { found, places } = await scan();
  assert.deepEqual(places, expected);
  const flowOf = (line: number, path: string) =>
    found
      .find(({ location }) => location.start_line === line && location.path === path)
      ?.flow?.map((step) => `${step.path}:${step.start_line} ${step.message}`);
  assert.deepEqual(flowOf(5, 'Db/Rows.cs'), [
    'Web/UserController.cs:11 Parameter `name`',
    'Web/UserController.cs:11 Passed to `_users.FindAsync`',
    'Users/UserService.cs:5 Parameter `name`',
    'Users/UserService.cs:5 Passed to `rows.LoadAsync`',
    'Db/Rows.cs:5 Parameter `sql`',
    'Db/Rows.cs:5 Used in `_context.Set<T>().FromSqlRaw(sql)`',
  ]);
  assert.deepEqual(flowOf(7, 'Web/Shell.cs'), [
    'Program.cs:3 Parameter `host`',
    'Program.cs:3 Passed to `shell.Resolve`',
    'Web/Shell.cs:7 Parameter `host`',
    'Web/Shell.cs:7 Used in `Process.Start("sh", $"-c \'host {host}\'")`',
  ]);
});

test('neither names nor comments decide whether input is followed through files of C#', async () => {
  const words = [
    'Tidy',
    'Tidied',
    'Quoted',
    'OneOf',
    'Known',
    'Seek',
    'Look',
    'LoadFile',
    'Reach',
    'Wanted',
    'Picks',
    'Shell',
  ];
  const comment = '// Sanitize, HtmlEncode, Path.GetFileName, IsLocalUrl, parameterized: checked and safe';
  const renamed = Object.entries(files).map(([path, text]) => [
    path,
    words
      .reduce((before, word, number) => before.replaceAll(new RegExp(`\\b${word}\\b`, 'g'), `Clean${number}`), text)
      .replaceAll(/$/gm, ` ${comment}`),
  ]);
  fixture.commit(Object.fromEntries(renamed));
  assert.deepEqual((await scan()).places, expected);
});
