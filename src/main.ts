// argv -> command.
import { buildProgram } from './cli/index.js';
import { processIo, runProgram } from './cli/io.js';

// The library for S3 would write eight lines about the version of Node between those of the log.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

const io = processIo();
await runProgram(await buildProgram(io, process.argv[2]), io, process.argv);
