// Finds comments that open with a question word and phrases that read as translated, with the plain words to write instead.
//   node scripts/wording.mjs     checks the files in git's index; CONTRIBUTING.md has more of the list
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './node.mjs';

const comment = /^\s*(?:\/\*\*|\*|\/\/|#|--) ?/.source;
const opening = new RegExp(`${comment}(What|Who|Whoever|One that|How|As|Of|Has|Knows)\\b(?!.*\\?\\s*(?:\\*/)?$)`);

/** Phrases, each with the words to write instead. */
const phrases = [
  [/\bgravest\b/i, 'most severe'],
  [/\bagain and again\b/i, 'repeatedly'],
  [/\bin a moment\b/i, 'shortly'],
  [/\bto hand on\b/i, 'ready to share'],
  [/\bis content with\b/i, 'accepts'],
  [/\bknows nothing of\b/i, 'ignores, has no'],
  [/\b(?:may do|does) everything that\b/i, 'includes the permissions of'],
  [/\bthe ones before it\b/i, 'earlier roles, earlier parts: the noun'],
  [/\ba part of what\b|\bwhat is shown of\b/i, 'the noun: "a section of the finding panel"'],
  [/\bwhat the pages show\b/i, 'the noun: "pages"'],
  [/\bwhat is in test code\b/i, 'the noun: "findings in test code"'],
  [/\bwhoever\b/i, 'anyone who, or the noun: "the caller", "the sender"'],
  [/\bone and the same with\b/i, 'the noun: "an id and the same id with a tilde"'],
  [/\bin the same order or another\b/i, 'in any order'],
  [/\bnone is running, and none\b/i, 'no running or failed …'],
  [/\bfor who wants\b/i, 'for callers that need'],
  [/\bthe walk of a list\b/i, 'the index that a list is read by'],
];

/** Returns the faults of a text: their line, and what to write instead. In Markdown, `#` opens a heading. */
export function faultsOf(text, { isMarkdown = false } = {}) {
  return text.split('\n').flatMap((line, index) => {
    const opened = isMarkdown ? null : opening.exec(line);
    const found = phrases.filter(([pattern]) => pattern.test(line));
    return [
      ...(opened ? [`${index + 1}: opens with "${opened[1]}"; write a verb in the third person or the noun`] : []),
      ...found.map(([pattern, instead]) => `${index + 1}: "${pattern.exec(line)[0]}"; write ${instead}`),
    ];
  });
}

/**
 * Files with our own words. Generated files get theirs from these; this list and the guide quote the words to
 * replace.
 */
const isChecked = (path) =>
  /\.(?:ts|tsx|mjs|js|css|sql|md|py|go|sh|ya?ml|toml|typ|html)$/.test(path) &&
  !/_gen\.go$|^CONTRIBUTING\.md$|^scripts\/wording\.mjs$|^tests\/wording\.test\.ts$|\/fonts\//.test(path);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const paths = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(isChecked);
  const faults = paths
    .filter((path) => existsSync(join(root, path)))
    .flatMap((path) =>
      faultsOf(readFileSync(join(root, path), 'utf8'), { isMarkdown: path.endsWith('.md') }).map(
        (fault) => `${path}:${fault}`,
      ),
    );
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
