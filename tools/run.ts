// `npm run tools -- NAME [OPTIONS]`: programs that help to make and try out Voxgate, and that no server runs.
import { processIo, runProgram } from '../src/cli/io.js';
import { toolsProgram } from './program.js';

const io = processIo();
await runProgram(toolsProgram(io), io, process.argv);
