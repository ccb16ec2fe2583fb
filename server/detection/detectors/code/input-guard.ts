const checks =
  '(?:includes|has|has_key|test|match|matches|fullmatch|contains|containsKey|ContainsKey|Contains|in_array|array_key_exists|is_numeric|ctype_\\w+|startsWith|StartsWith|HasPrefix|startswith|start_with\\?|include\\?|key\\?|match\\?|MatchString|IsMatch|hasOwnProperty|IsLocalUrl|url_has_allowed_host_and_scheme|is_relative_to|isValid\\w*|is_valid\\w*|is_safe\\w*|isSafe\\w*|validate\\w*|Validate\\w*|IsValid\\w*|isAllowed\\w*|is_allowed\\w*|IsLocal|preg_match|TryParse|valid\\w*\\?|allowed\\w*\\?|filter_var)';

/**
 * Returns whether the code before a use tests the value in a condition (against a list, a pattern, a prefix) or rejects
 * it. A checked value is harmless. Works on text, line by line: a heuristic that prefers missed problems to false
 * alarms.
 */
export function inputGuard(before: string, name: string): boolean {
  if (!before.includes(name)) return false;
  const escaped = name.replace(/[$\\^.*+?()[\]{}|]/g, '\\$&');
  const whole = `(?<![\\w$])${escaped}(?!\\w)`;
  const tested = new RegExp(
    `\\b${checks}\\s*[(\\s]\\s*[^;\\n]{0,80}${whole}|${whole}\\s*(?:not\\s+)?in\\s+[\\w(\\[{]|${whole}\\??\\.(?:startswith|startsWith|StartsWith|start_with\\?|matches|match\\?|match|isdigit|isalnum|isidentifier|is_relative_to|IsWellFormedUriString)\\b|${whole}\\s*=~`,
  );
  return before
    .split('\n')
    .some(
      (line) =>
        /\b(?:if|unless|elif|elseif|assert|when|while|return|raise|abort)\b/.test(line) &&
        tested.test(line.slice(0, 2_000)),
    );
}
