import { reasonOfContent } from '../../repository/layout.ts';
import { answerQuestions, checkSource } from './check-source.ts';
import { registerGrammars } from './languages/index.ts';
import type { LanguageName } from './languages/language.ts';
import type { Questions } from './program/summary.ts';
import type { RuleCheck } from './rule.ts';

/**
 * Checks files in a separate process that may crash, since a parser written in C reads untrusted text. Standard input,
 * each part preceded by a line of JSON: first the rules (`{"bytes"}`), then files (`{"bytes","language","extension"}`,
 * `"isTest"` and `"questions"` where they apply). Standard output: a line of JSON for each file, in order,
 * `{"hits","bounds","summary"}`, `{"functions","calls"}`, `{"skipped"}` or `{"error"}`.
 */
type Header = {
  bytes: number;
  language?: LanguageName;
  extension?: string;
  isTest?: boolean;
  questions?: Questions;
};

let rules: RuleCheck[] | null = null;
let pending: Buffer = Buffer.alloc(0);
let waiting: Buffer[] = [];
let waitingBytes = 0;
let header: Header | null = null;
let neededBytes = 0;

registerGrammars();
process.stdin.on('data', (chunk: Buffer) => {
  waiting.push(chunk);
  waitingBytes += chunk.length;
  if (pending.length + waitingBytes < neededBytes) return;
  pending = Buffer.concat([pending, ...waiting]);
  waiting = [];
  waitingBytes = 0;
  while (take());
});

/** Consumes one header or body from the received bytes; false if it is incomplete. */
function take(): boolean {
  if (header) {
    if (pending.length < header.bytes) {
      neededBytes = header.bytes;
      return false;
    }
    handle(header, pending.subarray(0, header.bytes));
    pending = pending.subarray(header.bytes);
    header = null;
    neededBytes = 0;
    return true;
  }
  const end = pending.indexOf(10);
  if (end < 0) return false;
  header = JSON.parse(pending.toString('utf8', 0, end));
  pending = pending.subarray(end + 1);
  return true;
}

function handle({ language, extension, isTest, questions }: Header, content: Buffer) {
  if (!rules) {
    rules = JSON.parse(content.toString('utf8'));
    return;
  }
  let result: object;
  try {
    // Web pages may have lines of any length.
    const skipped = language === 'template' ? null : reasonOfContent(content, extension!);
    if (skipped) result = { skipped };
    else if (questions) result = answerQuestions(language!, extension!, content, questions);
    else result = checkSource(rules!, language!, extension!, content, isTest);
  } catch (error) {
    result = { error: (error as Error).message };
  }
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
