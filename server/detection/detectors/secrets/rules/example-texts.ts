/** Forms of text in which a token with a distinct format occurs. Every such rule must match all of them. */
export const tokenTexts: Array<(secret: string) => string> = [
  (secret) => `export SERVICE_TOKEN=${secret}\nexport REGION=eu-1\n`,
  (secret) => `{\n  "token": "${secret}",\n  "retries": 3\n}\n`,
  (secret) => `production:\n  auth:\n    token: ${secret}\n    retries: 3\n`,
  (secret) => `const client = new Client('${secret}', { retries: 3 });\n`,
  (secret) => `curl -H "Authorization: Bearer ${secret}" https://api.service.test/v1/me\n`,
  (secret) => `<settings><token>${secret}</token></settings>\n`,
  (secret) => `fetch("https://api.service.test/v1?token=${secret}&page=2")\n`,
  (secret) => `client := NewClient(\`${secret}\`)\n`,
  (secret) => `    'token' => '${secret}',\n`,
  (secret) => `// was ${secret} until March\n`,
  (secret) => `{"log": "first line\\n${secret}\\nlast line"}\n`,
  (secret) => `Dim token As String = "${secret}"\r\n`,
  (secret) => `user:${secret}@service.test\n`,
  (secret) => secret,
];

/** Forms of assignment that reveal a credential without a distinct format, given the vendor's name in lower case. */
export const vendorTexts: Array<(vendor: string, name: string, secret: string) => string> = [
  (vendor, name, secret) => `${upper(vendor)}_${upper(name)}=${secret}\nDEBUG=1\n`,
  (vendor, name, secret) => `export ${upper(vendor)}_${upper(name)}="${secret}"\n`,
  (vendor, name, secret) => `{\n  "${camel(vendor, name)}": "${secret}",\n  "retries": 3\n}\n`,
  (vendor, name, secret) => `${vendor}.${dotted(name)}: ${secret}\n`,
  (vendor, name, secret) => `  ${vendor}_${name} = '${secret}'\n`,
  (vendor, name, secret) => `${vendor}_${name} := "${secret}"\n`,
  (vendor, name, secret) => `    '${vendor}_${name}' => '${secret}',\n`,
  (vendor, name, secret) => `client.set${pascal(`${vendor}_${name}`)}("${secret}");\n`,
  (vendor, name, secret) => `<${camel(vendor, name)}>${secret}</${camel(vendor, name)}>\n`,
  (vendor, name, secret) => `<add key="${pascal(`${vendor}_${name}`)}" value="${secret}" />\n`,
  (vendor, name, secret) => `<string name="${vendor}_${name}">${secret}</string>\n`,
  (vendor, name, secret) => `<key>${pascal(`${vendor}_${name}`)}</key>\n\t<string>${secret}</string>\n`,
  (vendor, name, secret) => `${vendor}:\n  region: eu\n  ${name}: ${secret}\n`,
  (vendor, name, secret) => `- name: ${upper(vendor)}_${upper(name)}\n  value: "${secret}"\n`,
  (vendor, name, secret) => `ENV ${upper(vendor)}_${upper(name)} ${secret}\n`,
  (vendor, name, secret) => `define('${upper(vendor)}_${upper(name)}', '${secret}');\n`,
  (vendor, name, secret) => `key = os.environ.get("${upper(vendor)}_${upper(name)}", "${secret}")\n`,
  (vendor, name, secret) => `const val ${upper(vendor)}_${upper(name)}: &str = "${secret}";\n`,
  (vendor, name, secret) => `$config['${vendor}']['${name}'] = '${secret}';\n`,
  (vendor, name, secret) => `${upper(name)}_${upper(vendor)}=${secret}\n`,
  (vendor, name, secret) => `# ${vendor}\n${upper(name)}=${secret}\n`,
  (vendor, name, secret) => `https://api.${vendor}.test/v1/items?${name}=${secret}&page=2\n`,
  (vendor, name, secret) => `curl -H "X-${pascal(vendor)}-${pascal(name)}: ${secret}" https://service.test\n`,
  (vendor, name, secret) => `INSERT INTO settings VALUES ('${vendor}_${name}', '${secret}');\n`,
  (vendor, _name, secret) => `const client = ${vendor}('account', '${secret}');\n`,
  (vendor, name, secret) => `java -D${vendor}.${name}=${secret} -jar app.jar\n`,
  (vendor, name, secret) => `deploy --${vendor}-${name.replaceAll('_', '-')} ${secret} --wait\n`,
  (vendor, name, secret) => `{\\"${vendor}_${name}\\": \\"${secret}\\"}\n`,
  (vendor, name, secret) => `${vendor} = { region = "eu", ${name} = "${secret}" }\n`,
];

const upper = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]/g, '_');
const dotted = (text: string) => text.replaceAll('_', '.');
const pascal = (text: string) =>
  text.replace(/(?:^|[^A-Za-z0-9])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const camel = (vendor: string, name: string) => {
  const joined = pascal(`${vendor}_${name}`);
  return joined.charAt(0).toLowerCase() + joined.slice(1);
};
