import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecretEngine } from '../engine.ts';
import { fileRules } from './index.ts';

const place = (example: string | { path: string; text: string }) =>
  typeof example === 'string' ? { path: 'src/deploy.conf', text: example } : example;

for (const rule of fileRules) {
  const engine = createSecretEngine([rule]);
  test(`${rule.id} finds its secret and skips its near-misses`, () => {
    for (const { path, text } of rule.matches.map(place)) {
      assert.equal(engine.find(Buffer.from(text), path).length, 1, `${path}: ${text}`);
      assert.equal(engine.mayContainSecret(Buffer.from(text), path), true);
    }
    for (const { path, text } of rule.misses.map(place)) {
      assert.deepEqual(
        engine.find(Buffer.from(text), path).map((hit) => hit.secret),
        [],
        `${path}: ${text}`,
      );
    }
  });
}

test('rule ids are unique', () => {
  assert.equal(new Set(fileRules.map((rule) => rule.id)).size, fileRules.length);
});

test('words of programs, forms and sentences are no secrets', () => {
  const engine = createSecretEngine(fileRules);
  const harmless = [
    { path: 'nginx.conf', text: 'uwsgi_pass  django;\n' },
    { path: 'a.js', text: 'values(1);register("password"),add("numeric",b),register("password",d.default)' },
    { path: 'lib/tasks/a.rake', text: 'secret = ActiveSupport::SecureRandom.hex(40)\n' },
    { path: 'Rakefile', text: 'password = STDIN.gets.chomp\n' },
    { path: 'views/a.rhtml', text: "<pre id='api-access-key' class='autoscroll'>" },
    { path: 'a.php', text: "'password' => 'min:6|required_with:password_confirm'," },
    { path: 'a.rb', text: "{'username' => 'jenkins', 'password' => 'jenkins'}" },
    { path: 'ci.yml', text: `mysql -e "CREATE USER 'shop-ci'@'localhost' IDENTIFIED BY 'shop-ci';"` },
    { path: '', text: "Pass 'request' to the form.\n\nRemove expired tokens: shop:tokens:prune" },
    { path: 'a.ts', text: `secret: '${'JBSWY3DPEHPK3PXP'.repeat(2)}',` },
  ];
  assert.deepEqual(
    harmless.flatMap(({ path, text }) => engine.find(Buffer.from(text), path).map(({ secret }) => `${path} ${secret}`)),
    [],
  );
  const leaked = [
    { path: 'proxy.conf', text: 'proxy_pass = b0toproxy9\n' },
    { path: 'a.rb', text: "{'username' => 'jenkins', 'password' => 'Vq7mz!Lw2kd'}" },
    { path: 'ci.yml', text: `mysql -e "CREATE USER 'shop'@'%' IDENTIFIED BY 'Vq7mz!Lw2kd';"` },
    { path: '', text: 'The password: Vq7mz1Lw2kd9' },
  ];
  for (const { path, text } of leaked) assert.equal(engine.find(Buffer.from(text), path).length, 1, text);
});
