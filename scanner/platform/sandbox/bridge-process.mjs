// Runs inside a program's network: opens the port of the egress proxy there, passes the listening socket to the process
// outside, and becomes the program. Arguments: PORT COMMAND ARGUMENT… Plain JavaScript without imports of ours.
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';

const [, , port, ...command] = process.argv;

// Node.js ignores two signals, and the program would inherit that; env of Debian's coreutils resets them.
const env = '/usr/bin/env';
const resets = existsSync('/usr/bin/dpkg') && existsSync(env);

const server = createServer().listen({ host: '127.0.0.1', port: Number(port), backlog: 128 }, () => {
  process.once('message', () => {
    process.disconnect();
    const { NODE_CHANNEL_FD: _, NODE_CHANNEL_SERIALIZATION_MODE: __, ...environment } = process.env;
    process.execve(resets ? env : command[0], resets ? [env, '--default-signal', ...command] : command, environment);
  });
  process.send('listening', server);
});
server.on('error', (error) => {
  process.stderr.write(`assay: the proxy can't be reached: ${error.message}\n`);
  process.exit(1);
});
