// argv -> command.
import { setV8Options } from './v8-options.js';

setV8Options();

// The library for S3 would write eight lines about the version of Node between those of the log.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

// Not before the options are set: modules find out what the processor can do when they are loaded.
const { buildProgram } = await import('./cli/index.js');
const { processIo, runProgram } = await import('./cli/io.js');

const io = processIo();
await runProgram(await buildProgram(io, process.argv[2]), io, process.argv);
