/** Returns whether a text is only the id of a rule, such as `B308`, `js/path` or `no-eval`, without words. */
export const isOnlyId = (text: string): boolean =>
  /^[a-z]+(?:-[a-z]+)+$|^(?=.*[\d_/.:])[^\s,;!?'"()]+$/i.test(text.trim());

/** Returns the first sentence of a text, or its first line. */
export const firstSentence = (text: string): string =>
  /^[\s\S]{10,200}?[.!](?=\s)/.exec(text)?.[0] ?? text.split('\n')[0]!;

/**
 * Returns a title in words: if a tool reports only an id, the first sentence of the first other text that says more, or
 * else the id.
 */
export function titleInWords(title: string, ...others: Array<string | undefined>): string {
  if (!isOnlyId(title)) return title;
  const said = others.find((text) => text !== undefined && text.trim() !== '' && !isOnlyId(text) && text !== title);
  return said === undefined ? title : firstSentence(said.trim()).replace(/\.$/, '');
}

/** Bandit's tests by number, with the names in its documentation: GitLab's reports of Bandit have only the number. */
const banditTests = new Map(
  [
    '101 assert_used, 102 exec_used, 103 set_bad_file_permissions, 104 hardcoded_bind_all_interfaces',
    '105 hardcoded_password_string, 106 hardcoded_password_funcarg, 107 hardcoded_password_default',
    '108 hardcoded_tmp_directory, 110 try_except_pass, 112 try_except_continue, 113 request_without_timeout',
    '201 flask_debug_true, 202 tarfile_unsafe_members, 301 pickle, 302 marshal, 303 md5, 304 ciphers',
    '305 cipher_modes, 306 mktemp_q, 307 eval, 308 mark_safe, 310 urllib_urlopen, 311 random, 312 telnetlib',
    '313 xml_bad_cElementTree, 314 xml_bad_ElementTree, 315 xml_bad_expatreader, 316 xml_bad_expatbuilder',
    '317 xml_bad_sax, 318 xml_bad_minidom, 319 xml_bad_pulldom, 321 ftplib, 323 unverified_context, 324 hashlib',
    '401 import_telnetlib, 402 import_ftplib, 403 import_pickle, 404 import_subprocess, 405 import_xml_etree',
    '406 import_xml_sax, 407 import_xml_expat, 408 import_xml_minidom, 409 import_xml_pulldom',
    '411 import_xmlrpclib, 412 import_httpoxy, 413 import_pycrypto, 415 import_pyghmi',
    '501 request_with_no_cert_validation, 502 ssl_with_bad_version, 503 ssl_with_bad_defaults',
    '504 ssl_with_no_version, 505 weak_cryptographic_key, 506 yaml_load, 507 ssh_no_host_key_verification',
    '508 snmp_insecure_version_check, 509 snmp_crypto_check, 601 paramiko_calls',
    '602 subprocess_popen_with_shell_equals_true, 603 subprocess_without_shell_equals_true',
    '604 any_other_function_with_shell_equals_true, 605 start_process_with_a_shell',
    '606 start_process_with_no_shell, 607 start_process_with_partial_path, 608 hardcoded_sql_expressions',
    '609 linux_commands_wildcard_injection, 610 django_extra_used, 611 django_rawsql_used',
    '612 logging_config_insecure_listen, 613 trojansource, 614 pytorch_load, 615 huggingface_unsafe_download',
    // Tests of earlier versions.
    '109 password_config_option_not_marked_secret, 111 execute_with_run_as_root_equals_true, 309 httpsconnection',
    '320 xml_bad_etree, 322 input, 325 tempnam, 410 import_lxml, 414 import_pycryptodome',
    '701 jinja2_autoescape_false, 702 use_of_mako_templates, 703 django_mark_safe, 704 markupsafe_markup_xss',
  ]
    .flatMap((line) => line.split(', '))
    .map((test) => [`B${test.slice(0, 3)}`, test.slice(4)]),
);

/** Returns the name of a test of Bandit in words, with its number; undefined for another id. */
export function banditTitle(id: string | undefined): string | undefined {
  const name = banditTests.get(id ?? '');
  return name && `Bandit: ${name.replaceAll('_', ' ')} (${id})`;
}
