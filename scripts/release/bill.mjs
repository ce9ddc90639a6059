// The bill of materials: what is in the server and its console, from the lockfile, and the voice models.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { tsImport } from 'tsx/esm/api';
import { root } from '../setup.mjs';
import { told } from './archive.mjs';

/** CycloneDX, as npm writes it, without what development needs and without what is new in every run. */
export async function billOfMaterials(seconds) {
  const { shippedPackages } = await tsImport('../notices.ts', import.meta.url);
  const shipped = new Set(shippedPackages().map(({ name, version }) => `${name}@${version}`));
  const text = told('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--loglevel=error'], {
    cwd: root,
  });
  const bill = JSON.parse(text);
  const own = bill.metadata.component;
  const isIn = (ref) => ref === own['bom-ref'] || shipped.has(ref);
  const dependencies = bill.dependencies
    .filter(({ ref }) => isIn(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isIn) }));
  const components = [...bill.components.filter((each) => shipped.has(each['bom-ref'])), ...models()];
  const metadata = {
    ...bill.metadata,
    timestamp: new Date(seconds * 1000).toISOString(),
    // npm takes the name of the folder.
    component: { ...own, type: 'application', name: 'voxgate', properties: [] },
  };
  const content = { ...bill, metadata, components, dependencies };
  delete content.serialNumber;
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const uuid = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
  return { ...content, serialNumber: `urn:uuid:${uuid}` };
}

function models() {
  return readdirSync(join(root, 'models'))
    .sort()
    .filter((name) => existsSync(join(root, 'models', name, 'manifest.json')))
    .map((name) => {
      const { revision, file } = JSON.parse(
        readFileSync(join(root, 'models', name, 'manifest.json'), 'utf8'),
      );
      const content = createHash('sha256')
        .update(readFileSync(join(root, 'models', name, file)))
        .digest('hex');
      return {
        'bom-ref': `models/${name}`,
        ...{ type: 'machine-learning-model', name, version: String(revision) },
        hashes: [{ alg: 'SHA-256', content }],
      };
    });
}
