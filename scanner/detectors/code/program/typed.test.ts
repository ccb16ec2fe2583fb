import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RepositoryFixture } from '../../../../tests/harness/repository.ts';
import { forEachTest, type ScannedSource } from '../../../../tests/harness/scanned-source.ts';
import type { Detection } from '../../../contract/detection.ts';
import { codeDetector } from '../code-detector.ts';

let fixture: RepositoryFixture;
let source: ScannedSource;
forEachTest(codeDetector, (created) => {
  ({ fixture, source } = created);
});

const placesOf = (found: Detection[]) =>
  found.map(({ rule, location }) => `${rule.id} ${location.path}:${location.start_line}`).sort();
const flowOf = (detection: Detection | undefined) =>
  detection?.flow?.map(({ path, start_line, message }) => `${path}:${start_line} ${message}`);

const main = 'src/main/java/shop';
const java = {
  [`${main}/web/UserController.java`]: `package shop.web;
import shop.users.UserService;
import static shop.texts.Texts.tidy;
@RestController
class UserController {
  private final UserService users;
  @Autowired private Tools tools;
  UserController(UserService users) { this.users = users; }
  @GetMapping("/user") User user(@RequestParam String name) { return users.find(name); }
  @GetMapping("/tidy") User tidied(@RequestParam String name) { return users.look(tidy(name)); }
  @GetMapping("/known") User known(@RequestParam String name) { return users.see(Texts.known(name)); }
  @GetMapping("/ping") String ping(@RequestParam String host) { return tools.ping(host, 3); }
  @GetMapping("/pong") String pong(@RequestParam String host) { return tools.ping(host); }
  @GetMapping("/read") String read(HttpServletRequest request) { return tools.read(new Names().of(request)); }
}
`,
  [`${main}/web/Tools.java`]: `package shop.web;
class Tools extends shop.base.Shell {
  String ping(String host) { return run("home"); }
  String ping(String host, int count) { return run("ping -c " + count + " " + host); }
  String read(String name) { return load(name); }
}
`,
  [`${main}/web/Names.java`]: `package shop.web;
class Names {
  String of(HttpServletRequest request) { return request.getParameter("name"); }
}
`,
  [`${main}/base/Shell.java`]: `package shop.base;
import java.nio.file.*;
public class Shell {
  protected String run(String command) { return Runtime.getRuntime().exec(command).toString(); }
  protected String load(String name) { return new String(Files.readAllBytes(Paths.get("/data/" + name))); }
}
`,
  [`${main}/texts/Texts.java`]: `package shop.texts;
public class Texts {
  public static String tidy(String text) { return Pick.one(text); }
  public static String known(String text) { return text; }
}
`,
  [`${main}/web/Texts.java`]: `package shop.web;
class Texts {
  static String known(String text) {
    if (!List.of("a", "b").contains(text)) throw new IllegalArgumentException();
    return text;
  }
}
`,
  [`${main}/texts/Pick.java`]: `package shop.texts;
class Pick {
  static String one(String text) { return "number " + Integer.parseInt(text); }
}
`,
  [`${main}/users/UserService.java`]: `package shop.users;
public interface UserService {
  User find(String name);
  User look(String name);
  User see(String name);
}
`,
  [`${main}/users/StoredUsers.java`]: `package shop.users;
import shop.db.*;
@Service
class StoredUsers implements UserService {
  private final Rows rows = new Rows();
  public User find(String name) { return rows.load("SELECT * FROM users WHERE name = '" + name + "'"); }
  public User look(String name) { return rows.look("SELECT * FROM users WHERE name = '" + name + "'"); }
  public User see(String name) { return rows.see("SELECT * FROM users WHERE name = '" + name + "'"); }
}
`,
  [`${main}/db/Rows.java`]: `package shop.db;
public class Rows {
  public User load(String sql) { return statement.executeQuery(sql); }
  public User look(String sql) { return statement.executeQuery(sql); }
  public User see(String sql) { return statement.executeQuery(sql); }
}
`,
};

test('input is followed through packages, interfaces, base classes, fields and overloaded methods of Java', async () => {
  fixture.commit(java);
  const found = await source.scan();
  assert.deepEqual(placesOf(found), [
    `java-command-injection ${main}/base/Shell.java:4`,
    `java-path-traversal ${main}/base/Shell.java:5`,
    `java-sql-injection ${main}/db/Rows.java:3`,
  ]);
  assert.deepEqual(flowOf(found.find(({ rule }) => rule.id === 'java-sql-injection')), [
    `${main}/web/UserController.java:9 Parameter \`name\``,
    `${main}/web/UserController.java:9 Passed to \`users.find\``,
    `${main}/users/StoredUsers.java:6 Parameter \`name\``,
    `${main}/users/StoredUsers.java:6 Passed to \`rows.load\``,
    `${main}/db/Rows.java:3 Parameter \`sql\``,
    `${main}/db/Rows.java:3 Used in \`statement.executeQuery(sql)\``,
  ]);
});

const php = {
  'app/Http/UserController.php': `<?php
namespace App\\Http;
use App\\Users\\{Finder, Store as Stored};
use function App\\Text\\tidy;
class UserController {
    private Finder $finder;
    public function __construct(private Tools $tools, Finder $finder) { $this->finder = $finder; }
    public function user() { return $this->finder->find($_GET['name']); }
    public function tidied() { return $this->finder->look(tidy($_GET['name'])); }
    public function ping() { return $this->tools->ping($_GET['host']); }
    public function read() { $store = new Stored(); return $store->read(\\App\\Text\\name_of()); }
}
`,
  'app/Http/Tools.php': `<?php
namespace App\\Http;
class Tools extends \\App\\Base\\Shell {
    public function ping($host) { return $this->run("ping " . $host); }
}
`,
  'app/Base/Shell.php': `<?php
namespace App\\Base;
class Shell {
    use Running;
}
`,
  'app/Base/Running.php': `<?php
namespace App\\Base;
trait Running {
    protected function run($command) { return shell_exec($command); }
}
`,
  'app/Text/functions.php': `<?php
namespace App\\Text;
function tidy($text) { return pick($text); }
function name_of() { return $_GET['file']; }
`,
  'app/Text/pick.php': `<?php
namespace App\\Text;
function pick($text) { return intval($text); }
`,
  'app/Users/Finder.php': `<?php
namespace App\\Users;
interface Finder { public function find($name); public function look($name); }
`,
  'app/Users/Store.php': `<?php
namespace App\\Users;
class Store implements Finder {
    /** @var \\App\\Db\\Rows */
    private $rows;
    public function find($name) { return $this->rows->load("SELECT * FROM users WHERE name = '" . $name . "'"); }
    public function look($name) { return $this->rows->look("SELECT * FROM users WHERE name = '" . $name . "'"); }
    public function read($name) { return \\App\\Db\\Rows::read($name); }
}
`,
  'app/Db/Rows.php': `<?php
namespace App\\Db;
class Rows {
    public function load($sql) { return mysqli_query($this->connection, $sql); }
    public function look($sql) { return mysqli_query($this->connection, $sql); }
    public static function read($name) { return file_get_contents("/data/" . $name); }
}
`,
};

test('input is followed through namespaces, interfaces, traits, functions and classes of PHP', async () => {
  fixture.commit(php);
  const found = await source.scan();
  assert.deepEqual(placesOf(found), [
    'php-command-injection app/Base/Running.php:4',
    'php-path-traversal app/Db/Rows.php:6',
    'php-sql-injection app/Db/Rows.php:4',
  ]);
  assert.deepEqual(flowOf(found.find(({ rule }) => rule.id === 'php-path-traversal')), [
    "app/Text/functions.php:4 Input `$_GET['file']`",
    'app/Http/UserController.php:11 Returned by `\\App\\Text\\name_of`',
    'app/Http/UserController.php:11 Passed to `$store.read`',
    'app/Users/Store.php:8 Parameter `$name`',
    'app/Users/Store.php:8 Passed to `\\App\\Db\\Rows.read`',
    'app/Db/Rows.php:6 Parameter `$name`',
    'app/Db/Rows.php:6 Used in `file_get_contents("/data/" . $name)`',
  ]);
});

test('a method of an object with input still returns input, if another file has its class', async () => {
  fixture.commit({
    [`${main}/UserForm.java`]: `package shop;
public class UserForm {
  private String name;
  public String getName() { return name; }
}
`,
    [`${main}/Users.java`]: `package shop;
@Controller
class Users {
  @PostMapping("/users") void add(@ModelAttribute UserForm form) {
    jdbc.execute("INSERT INTO users VALUES ('" + form.getName() + "')");
  }
}
`,
  });
  assert.deepEqual(placesOf(await source.scan()), [`java-sql-injection ${main}/Users.java:5`]);
});
