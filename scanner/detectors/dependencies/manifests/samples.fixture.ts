/** Manifests in their tools' formats, written for these tests, and their packages: `ecosystem name version line`. */
export const samples: Array<{ path: string; content: string; packages: string[] }> = [
  {
    path: 'web/package-lock.json',
    content: `{
  "name": "web",
  "lockfileVersion": 3,
  "packages": {
    "": { "name": "web", "dependencies": { "left": "^1.0.0" } },
    "node_modules/left": {
      "version": "1.2.3"
    },
    "node_modules/left/node_modules/@scope/right": {
      "version": "2.0.0-rc.1",
      "dev": true
    },
    "node_modules/shared": {
      "resolved": "packages/shared",
      "link": true
    },
    "packages/shared": {
      "version": "0.0.1"
    }
  }
}
`,
    packages: ['npm left 1.2.3 6', 'npm @scope/right 2.0.0-rc.1 9', 'npm shared 0.0.1 17'],
  },
  {
    path: 'pnpm-lock.yaml',
    content: `lockfileVersion: '9.0'

packages:

  '@scope/a@1.0.0':
    resolution: {integrity: sha512-x}

  b@2.1.0(c@3.0.0):
    resolution: {integrity: sha512-x}

  d@https://codeload.example.com/d/tar.gz/0123:
    resolution: {tarball: https://codeload.example.com/d/tar.gz/0123}
    version: 4.0.0
`,
    packages: ['npm @scope/a 1.0.0 5', 'npm b 2.1.0 8', 'npm d 4.0.0 null'],
  },
  {
    path: 'yarn.lock',
    content: `# yarn lockfile v1


"@scope/a@^1.0.0", "@scope/a@^1.1.0":
  version "1.1.5"
  resolved "https://example.com/a-1.1.5.tgz"

b@npm:real-b@2.0.0:
  version "2.0.0"
`,
    packages: ['npm @scope/a 1.1.5 4', 'npm real-b 2.0.0 8'],
  },
  {
    path: 'berry/yarn.lock',
    content: `__metadata:
  version: 8

"left@npm:^1.0.0":
  version: 1.2.3
  resolution: "left@npm:1.2.3"
  linkType: hard
`,
    packages: ['npm left 1.2.3 4'],
  },
  {
    path: 'bun.lock',
    content: `{
  "lockfileVersion": 1, // of Bun
  "workspaces": { "": { "name": "x", }, },
  "packages": {
    "left": ["left@1.2.3", "", {}, "sha512-x"],
    "@scope/a": ["@scope/a@1.0.0", "", { "bin": "a//b", }, "sha512-x"],
    "own": ["own@workspace:packages/own"],
  }
}
`,
    packages: ['npm left 1.2.3 5', 'npm @scope/a 1.0.0 6'],
  },
  {
    path: 'requirements.txt',
    content: `# pinned
Django==4.2.0 \\
    --hash=sha256:00
requests[socks]>=2.0
--index-url https://example.com/simple
zope.interface===5.0 ; python_version < "3.9"
`,
    packages: ['PyPI django 4.2.0 2', 'PyPI requests null 4', 'PyPI zope-interface 5.0 6'],
  },
  {
    path: 'poetry.lock',
    content: `[[package]]
name = "jinja2"
version = "3.0.0"
optional = false

[[package]]
name = "own"
version = "0.1.0"

[package.source]
type = "directory"
url = "own"
`,
    packages: ['PyPI jinja2 3.0.0 2'],
  },
  {
    path: 'Pipfile.lock',
    content: `{
    "_meta": {},
    "default": {
        "flask": {
            "version": "==1.0"
        },
        "own": { "path": "." }
    },
    "develop": {}
}
`,
    packages: ['PyPI flask 1.0 4'],
  },
  {
    path: 'uv.lock',
    content: `version = 1

[[package]]
name = "anyio"
version = "4.0.0"
source = { registry = "https://example.com/simple" }

[[package]]
name = "own"
version = "0.1.0"
source = { editable = "." }
`,
    packages: ['PyPI anyio 4.0.0 4'],
  },
  {
    path: 'pdm.lock',
    content: `[[package]]
name = "toml"
version = "0.10.2"
`,
    packages: ['PyPI toml 0.10.2 2'],
  },
  {
    path: 'pylock.toml',
    content: `lock-version = "1.0"

[[packages]]
name = "attrs"
version = "23.1.0"
`,
    packages: ['PyPI attrs 23.1.0 4'],
  },
  {
    path: 'go.mod',
    content: `module example.com/own

go 1.21

toolchain go1.21.5

require (
	example.com/a v1.2.3
	example.com/b v0.0.0-20230101000000-abcdefabcdef // indirect
	example.com/c v2.0.0+incompatible
)

replace example.com/a => example.com/fork v1.2.4
`,
    packages: [
      'Go example.com/fork 1.2.4 13',
      'Go example.com/b 0.0.0-20230101000000-abcdefabcdef 9',
      'Go example.com/c 2.0.0 10',
      'Go stdlib 1.21.5 5',
    ],
  },
  {
    path: 'Cargo.lock',
    content: `version = 3

[[package]]
name = "time"
version = "0.1.43"
`,
    packages: ['crates.io time 0.1.43 4'],
  },
  {
    path: 'pom.xml',
    content: `<?xml version="1.0"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <parent><groupId>org.own</groupId><artifactId>parent</artifactId><version>7</version></parent>
  <properties><log.version>2.14.1</log.version></properties>
  <dependencies>
    <dependency>
      <groupId>org.apache.logging.log4j</groupId>
      <artifactId>log4j-core</artifactId>
      <version>\${log.version}</version>
    </dependency>
    <dependency>
      <groupId>\${project.groupId}</groupId>
      <artifactId>sibling</artifactId>
      <version>\${project.version}</version>
    </dependency>
    <dependency>
      <groupId>org.other</groupId>
      <artifactId>ranged</artifactId>
      <version>[1.0,2.0)</version>
    </dependency>
  </dependencies>
</project>
`,
    packages: [
      'Maven org.apache.logging.log4j:log4j-core 2.14.1 6',
      'Maven org.own:sibling 7 11',
      'Maven org.other:ranged null 16',
    ],
  },
  {
    path: 'buildscript-gradle.lockfile',
    content: `# This is a Gradle generated file for dependency locking.
com.example:one:1.0=classpath
empty=
`,
    packages: ['Maven com.example:one 1.0 2'],
  },
  {
    path: 'gradle/verification-metadata.xml',
    content: `<?xml version="1.0"?>
<verification-metadata><components>
  <component group="com.example" name="one" version="1.0"/>
</components></verification-metadata>
`,
    packages: ['Maven com.example:one 1.0 3'],
  },
  {
    path: 'Gemfile.lock',
    content: `GEM
  remote: https://example.com/
  specs:
    nokogiri (1.13.6-x86_64-linux)
      racc (~> 1.4)
    racc (1.6.0)

PLATFORMS
  x86_64-linux
`,
    packages: ['RubyGems nokogiri 1.13.6 4', 'RubyGems racc 1.6.0 6'],
  },
  {
    path: 'composer.lock',
    content: `{
    "packages": [
        {
            "name": "symfony/http-kernel",
            "version": "v5.4.0"
        }
    ],
    "packages-dev": []
}
`,
    packages: ['Packagist symfony/http-kernel v5.4.0 4'],
  },
  {
    path: 'packages.lock.json',
    content: `{
  "version": 1,
  "dependencies": {
    "net8.0": {
      "Newtonsoft.Json": {
        "type": "Direct",
        "resolved": "12.0.1"
      },
      "own": { "type": "Project" }
    }
  }
}
`,
    packages: ['NuGet Newtonsoft.Json 12.0.1 5'],
  },
  {
    path: 'bin/own.deps.json',
    content: `{
  "runtimeTarget": { "name": ".NETCoreApp,Version=v8.0" },
  "libraries": {
    "own/1.0.0": { "type": "project" },
    "Newtonsoft.Json/12.0.1": { "type": "package" }
  }
}
`,
    packages: ['NuGet Newtonsoft.Json 12.0.1 5'],
  },
  {
    path: 'packages.config',
    content: `<packages>
  <package id="jQuery" version="1.9.1" targetFramework="net45" />
</packages>
`,
    packages: ['NuGet jQuery 1.9.1 2'],
  },
  {
    path: 'conan.lock',
    content: `{
    "version": "0.5",
    "requires": [
        "zlib/1.2.11#ffa77daf83a57094149707928bdce823%1667396813.184"
    ]
}
`,
    packages: ['ConanCenter zlib 1.2.11 4'],
  },
  {
    path: 'mix.lock',
    content: `%{
  "plug": {:hex, :plug, "1.11.1", "f2", [:mix], [], "hexpm", "23"},
}
`,
    packages: ['Hex plug 1.11.1 2'],
  },
  {
    path: 'pubspec.lock',
    content: `packages:
  http:
    dependency: "direct main"
    source: hosted
    version: "0.13.2"
  flutter:
    source: sdk
    version: "0.0.0"
`,
    packages: ['Pub http 0.13.2 2', 'Pub flutter 0.0.0 6'],
  },
  {
    path: 'renv.lock',
    content: `{
  "Packages": {
    "commonmark": {
      "Package": "commonmark",
      "Version": "1.7",
      "Source": "Repository",
      "Repository": "CRAN"
    }
  }
}
`,
    packages: ['CRAN commonmark 1.7 3'],
  },
  {
    path: '.github/workflows/ci.yml',
    content: `on: push
jobs:
  test:
    steps:
      - uses: actions/checkout@v4
      - uses: "tj-actions/changed-files@v45.0.7"
      - uses: some/mono/sub/folder@0123456789012345678901234567890123456789 # v1.2.3
      - uses: ./local
      # - uses: gone/action@v1.0.0
`,
    packages: [
      'GitHub Actions actions/checkout null 5',
      'GitHub Actions tj-actions/changed-files 45.0.7 6',
      'GitHub Actions some/mono 1.2.3 7',
    ],
  },
  {
    path: 'bom.json',
    content: `{
  "bomFormat": "CycloneDX",
  "specVersion": "1.6",
  "components": [
    { "type": "library", "name": "left", "purl": "pkg:npm/%40scope/left@1.2.3",
      "components": [{ "type": "library", "name": "a", "purl": "pkg:golang/example.com/a@v1.0.0" }] },
    { "type": "library", "name": "curl", "purl": "pkg:deb/debian/libcurl4@7.74.0-1?arch=amd64&distro=debian-11&upstream=curl" },
    { "type": "file", "name": "x" }
  ]
}
`,
    packages: ['npm @scope/left 1.2.3 null', 'Go example.com/a 1.0.0 null', 'Debian:11 curl 7.74.0-1 null'],
  },
  {
    path: 'target/bom.xml',
    content: `<?xml version="1.0"?>
<bom xmlns="http://cyclonedx.org/schema/bom/1.5">
  <components>
    <component type="library"><name>log4j-core</name>
      <purl>pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1?type=jar</purl>
    </component>
  </components>
</bom>
`,
    packages: ['Maven org.apache.logging.log4j:log4j-core 2.14.1 4'],
  },
  {
    path: 'own.spdx.json',
    content: `{
  "spdxVersion": "SPDX-2.3",
  "packages": [
    { "name": "requests", "versionInfo": "2.0",
      "externalRefs": [{ "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": "pkg:pypi/requests@2.0" }] }
  ]
}
`,
    packages: ['PyPI requests 2.0 null'],
  },
  {
    path: 'own.spdx',
    content: `SPDXVersion: SPDX-2.3
PackageName: requests
ExternalRef: PACKAGE-MANAGER purl pkg:pypi/requests@2.0
`,
    packages: ['PyPI requests 2.0 3'],
  },
  {
    path: 'own.spdx.xml',
    content: `<Document><packages><externalRefs>
  <referenceLocator>pkg:gem/rack@2.0</referenceLocator>
</externalRefs></packages></Document>
`,
    packages: ['RubyGems rack 2.0 2'],
  },
  {
    path: 'var/lib/dpkg/status',
    content: `Package: libssl3
Status: install ok installed
Source: openssl
Version: 3.0.11-1

Package: removed
Status: deinstall ok config-files
Version: 1.0
`,
    packages: ['Debian openssl 3.0.11-1 1'],
  },
  {
    path: 'lib/apk/db/installed',
    content: `P:libcrypto3
V:3.1.4-r0
o:openssl

P:musl
V:1.2.4-r2
`,
    packages: ['Alpine openssl 3.1.4-r0 1', 'Alpine musl 1.2.4-r2 5'],
  },
];
