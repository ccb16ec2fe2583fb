import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Layout } from '../../repository/layout.ts';
import { skipReasonOf, sourceKindOf } from './paths.ts';

function reasonsOf(paths: string[], others: string[] = []) {
  const layout = new Layout();
  for (const path of [...paths, ...others]) layout.note(path);
  return paths.map((path) => (sourceKindOf(path) ? skipReasonOf(path, layout) : 'none'));
}

test('a folder with an ambiguous name may contain a product’s own code', () => {
  const own = [
    ...['src/benchmark/Runner.java', 'benchmarks/api/handler.py', 'target/app.go', 'src/target/Target.java'],
    ...['build/release.js', 'server/out/print.rb', 'obj/model.cs', 'gen/key.go', 'testing/views.py', 'mocks/server.js'],
    ...['lib/out/index.ts', 'dist/deploy.py', 'vendor/Vendor.java', 'app/vendor/orders.php', 'bin/Release/tool.py'],
    ...[
      'com/acme/target/classes/A.java',
      'generated/report.py',
      'coverage/plan.rb',
      'token_gen.go',
      'third_party/a.go',
    ],
    ...['tests/a.py', 'src/a.test.ts', 'a_test.go', 'venv/a.py'],
  ];
  const around = ['README.md', 'docs/pom.xml', 'api/package.json', 'api/go.mod'];
  assert.deepEqual(
    own.filter((_, index) => reasonsOf(own, around)[index] !== null),
    [],
  );
});

test('packages and build results are left out if the layout of their ecosystem identifies them', () => {
  const packages = [
    ...['node_modules/a/index.js', 'web/bower_components/a.js', '.venv/lib/a.py', 'env/lib/site-packages/a.py'],
    ...['vendor/example.org/a.go', 'php/vendor/a/b.php', 'tools/env/run.py', 'vendor/bundle/ruby/a.rb'],
  ];
  const built = [
    ...['java/target/classes/A.java', 'app/build/generated/A.java', 'net/obj/Debug/a.cs', 'net/bin/Release/a.cs'],
    ...['dist/index.js', 'packages/a/dist/index.mjs', 'web/.next/server/a.js'],
  ];
  const markers = [
    ...['vendor/modules.txt', 'php/vendor/composer/installed.json', 'tools/env/pyvenv.cfg', 'java/pom.xml'],
    ...['app/build.gradle.kts', 'net/App.csproj', 'package.json', 'src/a.ts', 'packages/a/package.json'],
    ...['packages/a/lib/a.ts'],
  ];
  const reasons = reasonsOf([...packages, ...built], markers);
  assert.deepEqual(reasons, [...packages.map(() => 'packages'), ...built.map(() => 'built')]);
  assert.deepEqual(reasonsOf(['a.min.js', 'a.pb.go', 'types.d.ts']), ['minified', 'generated', 'none']);
});
