import { checkSource } from './check-source.ts';
import { registerGrammars } from './languages/index.ts';
import type { LanguageName } from './languages/language.ts';
import type { RuleCheck } from './rule.ts';

/**
 * Checks files in a process of its own, whose end harms nobody: a parser written in C reads what strangers wrote.
 * On standard input, each with a line of JSON before it: first the rules (`{"bytes"}`), then files (`{"bytes","language","extension"}`).
 * On standard output one line of JSON for each file, in order: `{"hits"}` or `{"error"}`.
 */
type Header = { bytes: number; language?: LanguageName; extension?: string };

let rules: RuleCheck[] | null = null;
let pending: Buffer = Buffer.alloc(0);
let waiting: Buffer[] = [];
let waitingBytes = 0;
let header: Header | null = null;
let wanted = 0;

registerGrammars();
process.stdin.on('data', (chunk: Buffer) => {
  waiting.push(chunk);
  waitingBytes += chunk.length;
  if (pending.length + waitingBytes < wanted) return;
  pending = Buffer.concat([pending, ...waiting]);
  waiting = [];
  waitingBytes = 0;
  while (take());
});

/** Takes one header or one body from what came; false when it isn't whole. */
function take(): boolean {
  if (header) {
    if (pending.length < header.bytes) {
      wanted = header.bytes;
      return false;
    }
    answer(header, pending.subarray(0, header.bytes));
    pending = pending.subarray(header.bytes);
    header = null;
    wanted = 0;
    return true;
  }
  const end = pending.indexOf(10);
  if (end < 0) return false;
  header = JSON.parse(pending.toString('utf8', 0, end));
  pending = pending.subarray(end + 1);
  return true;
}

function answer({ language, extension }: Header, content: Buffer) {
  if (!rules) {
    rules = JSON.parse(content.toString('utf8'));
    return;
  }
  let result: object;
  try {
    result = { hits: checkSource(rules!, language!, extension!, content) };
  } catch (error) {
    result = { error: (error as Error).message };
  }
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
