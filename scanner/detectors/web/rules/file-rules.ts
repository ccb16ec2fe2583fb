import type { Severity } from '../../../contract/severity.ts';
import type { FileRule, WebRule } from '../rule.ts';

/** The texts that the rules for files share. */
type Told = Omit<WebRule, 'risk'>;

const references = [
  'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
];
const remediation =
  'Remove the file from what the web server serves, and block such names there (files that begin with a dot, backups, status pages). Treat every credential in it as compromised and change it.';

const unlisted = (id: string, title: string, severity: Severity, cwe: string[]): Told => ({
  id: `web-exposed-${id}`,
  title,
  severity,
  cwe,
  references,
  remediation,
});

/** Builds the rule for the metadata directory of a version control system. */
const version = (id: string, name: string, severity: Severity): WebRule => ({
  ...unlisted(id, `A ${name} repository can be read`, severity, ['CWE-527', 'CWE-538']),
  risk: `The site’s code and history can be reconstructed from the .${id} directory, with every credential that was ever in it.`,
});

const isHtml = (body: string) => /^\s*(<!doctype|<html|<\?xml|<head|<body)/i.test(body);
/** Lists only the names of settings: their values may be secrets. */
function namesOf(body: string): string {
  const names = [...body.matchAll(/^[ \t]{0,20}(?:export[ \t]+)?([A-Z][A-Z0-9_]{1,60})[ \t]{0,20}=/gm)].map(
    (found) => found[1]!,
  );
  return `settings: ${[...new Set(names)].slice(0, 8).join(', ')}`;
}
const firstLine = (body: string) => body.split('\n', 1)[0]!.slice(0, 100);
const file = (rule: FileRule & Told): FileRule => rule;
const environment =
  /^[ \t]{0,20}(?:export[ \t]+)?[A-Z0-9_]{0,60}(KEY|SECRET|PASSWORD|PASS|TOKEN|URL|HOST|DATABASE|ENV|USER)[A-Z0-9_]{0,60}[ \t]{0,20}=/m;

/** Files that reveal the structure of the site or contain its credentials. Each is recognised by its content. */
export const fileRules: FileRule[] = [
  file({
    ...version('git', 'Git', 'critical'),
    paths: ['/.git/HEAD'],
    isExposed: (body) => /^(ref: refs\/[\w./-]+|[0-9a-f]{40}|[0-9a-f]{64})\s*$/.test(body),
    show: firstLine,
    matches: ['ref: refs/heads/main\n', `${'0123456789'.repeat(4)}\n`],
    misses: ['<!doctype html><p>ref: refs/heads/main', 'ref: see below', ''],
  }),
  file({
    ...version('svn', 'Subversion', 'high'),
    paths: ['/.svn/wc.db'],
    isExposed: (body) => body.startsWith('SQLite format 3\0'),
    show: () => 'an SQLite database',
    matches: ['SQLite format 3\0\x10'],
    misses: ['SQLite format', '<html>'],
  }),
  file({
    ...version('hg', 'Mercurial', 'high'),
    paths: ['/.hg/requires'],
    isExposed: (body) => /^(revlogv1|store|generaldelta|dotencode|fncache|share-safe)\s*$/m.test(body) && !isHtml(body),
    show: firstLine,
    matches: ['dotencode\nfncache\ngeneraldelta\nrevlogv1\nstore\n'],
    misses: ['Our store requires JavaScript', '<html>\nstore\n'],
  }),
  file({
    ...unlisted('environment', 'A settings file (.env) can be read', 'critical', ['CWE-538', 'CWE-312']),
    risk: 'Such files contain database passwords and keys for other services.',
    paths: ['/.env', '/.env.production'],
    isExposed: (body) =>
      environment.test(body) && !isHtml(body) && !/<\/?(?:html|head|body|title|div|p|script|span|h1)\b/i.test(body),
    show: namesOf,
    matches: ['APP_ENV=production\nDB_PASSWORD=x\n', 'export DATABASE_URL=postgres://localhost/x\n'],
    misses: ['<html>\nAPP_KEY=x\n</html>', 'nothing = here', '{"error": "APP_KEY"}'],
  }),
  file({
    ...unlisted('aws-credentials', 'An AWS credentials file can be read', 'critical', ['CWE-538', 'CWE-522']),
    risk: 'Anyone who reads it can act in the AWS account.',
    paths: ['/.aws/credentials'],
    isExposed: (body) => /^[ \t]{0,20}aws_(access_key_id|secret_access_key)[ \t]{0,20}=/m.test(body) && !isHtml(body),
    show: () => 'aws_access_key_id = …',
    matches: ['[default]\naws_access_key_id = x\n'],
    misses: ['<html>aws_access_key_id'],
  }),
  file({
    ...unlisted('password-file', 'A password file (.htpasswd) can be read', 'high', ['CWE-538', 'CWE-522']),
    risk: 'The hashes in it can be attacked offline with password lists.',
    paths: ['/.htpasswd'],
    isExposed: (body) => /^[\w.@-]{1,60}:(\$(apr1|2[aby]|5|6)\$|\{SHA\}|[\w./]{13}\s*$)/m.test(body),
    show: () => 'names with hashed passwords',
    matches: ['admin:$apr1$abcdefgh$abcdefghijklmnopqrstuv\n', 'bob:{SHA}abc=\n'],
    misses: ['<p>admin: hello</p>', 'color:red'],
  }),
  file({
    ...unlisted('wordpress-backup', 'A copy of wp-config.php can be read', 'critical', ['CWE-530', 'CWE-312']),
    risk: 'It contains the database password and the keys that sign sessions.',
    paths: ['/wp-config.php.bak'],
    isExposed: (body) => /define\(\s*['"]DB_(NAME|PASSWORD|USER)['"]/.test(body),
    show: () => "define('DB_PASSWORD', …)",
    matches: ["<?php\ndefine( 'DB_NAME', 'wp' );"],
    misses: ['<?php // nothing', '<html>wp-config'],
  }),
  file({
    ...unlisted('database-dump', 'A database dump can be read', 'critical', ['CWE-530', 'CWE-538']),
    risk: 'It contains everything that the site stores about all its users.',
    paths: ['/backup.sql', '/dump.sql'],
    isExposed: (body) =>
      /^(-- (MySQL|MariaDB|PostgreSQL) (database )?dump|-- phpMyAdmin SQL Dump|CREATE TABLE |INSERT INTO )/im.test(
        body,
      ) && !isHtml(body),
    show: firstLine,
    matches: ['-- MySQL dump 10.13  Distrib 8.0\n', '--\n-- PostgreSQL database dump\n--\n'],
    misses: ['<html>CREATE TABLE', 'how to make a dump'],
  }),
  file({
    ...unlisted('backup-archive', 'An archive of the site can be read', 'high', ['CWE-530', 'CWE-538']),
    risk: 'Backups contain the site’s code, its settings and often its data.',
    paths: ['/backup.zip'],
    isExposed: (body) => /^(PK\x03\x04|\x1f\x8b\x08)/.test(body),
    show: (body) => (body.startsWith('PK') ? 'a ZIP archive' : 'a gzip archive'),
    matches: ['PK\x03\x04\x14\0', '\x1f\x8b\x08\0'],
    misses: ['PK', '<html>'],
  }),
  file({
    ...unlisted('ds-store', 'A .DS_Store file lists the directory', 'low', ['CWE-538', 'CWE-548']),
    risk: 'It lists the files of the directory on its author’s machine, including those that no page links to.',
    paths: ['/.DS_Store'],
    isExposed: (body) => body.startsWith('\0\0\0\x01Bud1'),
    show: () => 'Bud1',
    matches: ['\0\0\0\x01Bud1\0'],
    misses: ['Bud1'],
  }),
  file({
    ...unlisted('server-status', 'The server’s status page is public', 'medium', ['CWE-497', 'CWE-200']),
    risk: 'It shows the URLs that visitors request, with any data in them, and where the visitors come from.',
    paths: ['/server-status'],
    isExposed: (body) => /<title>Apache Status<\/title>|<h1>Apache Server Status for/i.test(body),
    show: () => 'Apache Server Status',
    matches: ['<html><head>\n<title>Apache Status</title>'],
    misses: ['<title>Status of our services</title>'],
  }),
  file({
    ...unlisted('phpinfo', 'A phpinfo() page is public', 'medium', ['CWE-497', 'CWE-200']),
    risk: 'It shows versions, paths, settings and the environment, which may contain credentials.',
    paths: ['/phpinfo.php'],
    isExposed: (body) => /<title>(PHP [\d.]+\S* - )?phpinfo\(\)<\/title>/i.test(body),
    show: (body) => `phpinfo() of ${/PHP Version [\d.]+/.exec(body)?.[0] ?? 'PHP'}`,
    matches: ['<title>PHP 8.2.1 - phpinfo()</title><h1 class="p">PHP Version 8.2.1</h1>'],
    misses: ['<title>What phpinfo() does</title>'],
  }),
  file({
    ...unlisted('actuator', 'Spring Boot’s actuator shows the environment', 'high', ['CWE-497', 'CWE-200']),
    risk: 'It shows the application’s settings; other endpoints may expose memory with credentials in it.',
    paths: ['/actuator/env'],
    isExposed: (body) => /^\s*\{/.test(body) && body.includes('"propertySources"'),
    show: () => '"propertySources": […]',
    matches: ['{"activeProfiles":[],"propertySources":[{"name":"server.ports"}]}'],
    misses: ['{"error":"not found"}', '<p>"propertySources"'],
  }),
];
