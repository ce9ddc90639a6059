// The client for npm.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';
import { gzip, tar, told } from './archive.mjs';

/** As npm packs it, but with the rights that everything of a release has, whatever those of the checkout are. */
export function packClient(folder, target, seconds) {
  mkdirSync(folder);
  // The settings of the checkout, which keep packages from running code, reach npm from `npm run`; here the code is our own.
  const packing = ['pack', '--silent', '--ignore-scripts=false', '--pack-destination', folder];
  const name = told('npm', packing, { cwd: join(root, 'packages', 'client') }).trim();
  told('tar', ['-xzf', name], { cwd: folder });
  tar(`${folder}.tar`, folder, ['package'], { seconds });
  gzip(`${folder}.tar`, target);
}
