import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceKindOf } from './paths.ts';

test('a folder whose name could mean anything may hold a product’s own code', () => {
  const own = [
    ...['src/benchmark/Runner.java', 'benchmarks/api/handler.py', 'target/app.go', 'src/target/Target.java'],
    ...['build/release.js', 'server/out/print.rb', 'obj/model.cs', 'gen/key.go', 'testing/views.py', 'mocks/server.js'],
    ...['lib/out/index.ts', 'dist/deploy.py'],
  ];
  assert.deepEqual(
    own.filter((path) => sourceKindOf(path) === null),
    [],
  );
});

test('tests, third-party code and what build tools write are skipped', () => {
  const skipped = [
    ...['tests/a.py', 'src/test/java/A.java', 'app/__tests__/a.ts', 'spec/a_spec.rb', 'src/a.test.ts', 'a_test.go'],
    ...['node_modules/a/index.js', 'vendor/a.php', 'third_party/a.go', '.venv/lib/a.py'],
    ...['target/classes/A.java', 'a/target/generated-sources/A.java', 'build/generated/A.java', 'obj/Debug/a.cs'],
    ...['dist/index.js', 'packages/a/dist/index.mjs', 'out/extension.js', 'a.min.js', 'a.pb.go', 'types.d.ts'],
  ];
  assert.deepEqual(
    skipped.filter((path) => sourceKindOf(path) !== null),
    [],
  );
});
