// argv -> command.
import { buildProgram } from './cli/index.js';
import { processIo, runProgram } from './cli/io.js';

const io = processIo();
await runProgram(buildProgram(io), io, process.argv);
