// npm run build: installs what is missing and builds what is stale.
import { readArguments } from './arguments.mjs';
import { build, install } from './setup.mjs';

readArguments(`
usage: npm run build

Installs what is missing and builds what is stale into dist/.`);
install();
await build();
