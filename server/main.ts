import { printable } from '@assay/scanner/platform/terminal-text.ts';
import { Command, CommanderError } from 'commander';
import { commands } from './commands/commands.ts';
import manifest from './package.json' with { type: 'json' };

const exitFailed = 1;
const exitUsage = 2;

const lines = (text: string): string => text.split('\n').map(printable).join('\n');

/** Creates the program with the command in the arguments; other commands only have their lines of the help. */
async function createProgram(words: string[]): Promise<Command> {
  const program = new Command('assay')
    .description('a self-hosted security findings platform')
    .version(manifest.version);
  program.configureOutput({ writeErr: (text) => void process.stderr.write(lines(text)) });
  program.exitOverride().showHelpAfterError('(add --help for its arguments and options)');
  for (const { name, usage = '', description, register } of commands) {
    if (words.includes(name)) await register(program);
    else program.command(`${name} ${usage}`).description(description);
  }
  const inherit = (command: Command) => {
    command.exitOverride();
    command.commands.forEach(inherit);
  };
  inherit(program);
  return program;
}

/** Exit codes: 0 done, 1 failed, 2 usage or configuration error. `scan` also exits with 3: see its `--fail-on`. */
async function main(): Promise<void> {
  try {
    // The first word is the command; after `help` the second one is.
    const program = await createProgram(process.argv.slice(2, 4));
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : exitUsage;
      return;
    }
    process.stderr.write(`assay: ${lines((error as Error).message)}\n`);
    process.exitCode = (error as Error).name === 'ConfigError' ? exitUsage : exitFailed;
  }
}

await main();
