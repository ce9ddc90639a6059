// argv -> command. The commands that only talk to a server do without loading one: they start in a fraction of the time.
import { processIo, runProgram } from './cli/io.js';
import { newProgram } from './cli/program.js';
import { registerRemote } from './cli/remote/remote.js';

// The library for S3 would write eight lines about the version of Node between those of the log.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

const io = processIo();
const remote = newProgram(io);
registerRemote(remote, io);
const IS_REMOTE = remote.commands.some((command) => command.name() === process.argv[2]);
const program = IS_REMOTE ? remote : (await import('./cli/index.js')).buildProgram(io);
await runProgram(program, io, process.argv);
