// argv -> command.
import { buildProgram } from './cli/index.js';
import { processIo } from './cli/io.js';

await buildProgram(processIo()).parseAsync(process.argv);
