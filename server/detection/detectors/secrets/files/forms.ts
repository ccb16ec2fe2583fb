/** Parts of patterns that the assignment rules share. All are bounded, as anchored patterns must be. */

const text = (quote: string, group: string): string =>
  `${quote}(?P<${group}>(?:[^${quote}\\\\\\r\\n]|\\\\[^\\r\\n]){1,400})${quote}`;

/** A quoted string in double, single or back quotes, or in escaped quotes inside another string. */
export const quotedValue = `(?:${text('"', 'secret')}|${text("'", 'secret2')}|${text('`', 'secret3')}|\\\\{1,3}["'](?P<secret4>[^"'\\\\\\r\\n]{1,400})\\\\{1,3}["'])`;

/** A word without quotes, excluding punctuation at its end. */
export const bareValue =
  '(?P<secret>[^\\s"\'`<>(){}\\[\\],;&|\\\\](?:(?:[^\\s"\'`\\\\]|\\\\[^nrt\\s"\'`]){0,300}[^\\s"\'`,;)\\]}\\\\])?)';

/** The rest of a name after the keyword at the start of the pattern. */
export const nameTail = '[\\w.-]{0,40}';

/** The end of a name: `"name"`, `['name']`, `name[]`, `{name}`. */
const nameEnd = '(?:\\\\{1,3}["\']|["\'`\\]})]){0,3}(?:\\[[0-9]{0,4}\\])?';

/** A declared type between name and value: `: string =`, ` string =`, `: &str =`. */
const declaredType =
  "(?:\\?{0,1}:?[ \\t]{0,4}[&*\\[\\]]{0,3}['A-Za-z][\\w.<>\\[\\]|?*& ]{0,30}=|\\{ ?get; ?(?:[a-z]{3,9} )?(?:set|init); ?\\} ?=)";

const operator = '(?:=>|->|<-|:=|!?={1,3}|\\?=|\\|\\|=?|\\?\\?=?|:|,|\\(|\\bor\\b|\\beq\\b)';

/** Wrappers that don't change their text. */
const wrapper =
  '(?:[brufLN@$]{1,2}|\\[[ \\t]{0,4}|(?:new[ \\t]{1,3})?(?:SecretString|SecretStr|SecureString|Secret|String|Buffer\\.from|String::from|\\[\\]byte|bytes|Some|str|base64\\.b64decode|Password|Optional\\.of|pulumi\\.secret|ConvertTo-SecureString(?:[ \\t]{1,4}-String)?|(?:[\\w.]{0,20}env(?:iron)?(?:\\.get|\\.fetch|\\.str)?|config)\\([^,()\\n]{1,60},(?:[ \\t]{0,4}default=)?)[ \\t(]{0,4})?';

export const assignTo = `${nameEnd}[ \\t]{0,40}(?:${declaredType}|${operator})[ \\t]{0,40}${wrapper}`;
export const assignToBare = `${nameEnd}[ \\t]{0,40}(?:=>|:=|\\?=|=|:)[ \\t]{0,40}(?:[|>][-+]?[ \\t]{0,4}\\r?\\n[ \\t]{1,20})?`;

/**
 * `name="password" … value="…"`, `"name": "password", "value": "…"`, `- name: PASSWORD⏎ value: …`, `variable "password"
 * { default = … }`.
 */
export const pairTo =
  '["\']?(?:[ \\t]{1,20}(?:[\\w:.-]{1,30}=["\'][^"\'<>\\n]{0,60}["\'][ \\t]{1,8}){0,3}|[ \\t]{0,4}[,:]?\\s{0,60}-?[ \\t]{0,4}(?:\\w{1,20}:[ \\t][^\\n"\']{0,80}\\n\\s{1,20}){0,4}["\']?|[ \\t]{0,4}\\{[^{}]{0,300}?)(?:[Vv]alue|VALUE|val|content|default|[Dd]efaultValue|[Ss]tringValue|[Dd]ata)["\']?[ \\t]{0,8}[:=][ \\t]{0,8}';

/** From the name of a tag or its attribute to the text of the element, or of the next `string` or `value` element. */
export const elementTo =
  '(?:["\'][^<>\\n]{0,100}|[ \\t][^<>\\n]{0,100})?(?:>|</(?:key|name|Key|Name)>)(?:\\s{0,40}<(?:string|value|String|Value)>)?[ \\t\\r\\n]{0,40}(?:<!\\[CDATA\\[)?';
export const elementValue = '(?P<secret>[^<>\\s](?:[^<>\\r\\n]{0,398}[^<>\\s])?)(?:\\]\\]>)?[ \\t\\r\\n]{0,40}</';
