// npm run build: installs what is missing and builds what is stale.
import { build, install } from './setup.mjs';

install();
await build();
