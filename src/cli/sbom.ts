/** `sbom`: deployed packages as CycloneDX 1.6 (ECMA-424). `npm sbom` omits packages that development also needs. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { command } from './command.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const Locked = z.object({
  /** Set if it differs from the folder's name: an alias or an override. */
  name: z.string().optional(),
  version: z.string(),
  license: z.string().optional(),
  integrity: z.string(),
  dev: z.boolean().default(false),
  optional: z.boolean().default(false),
});
const Lock = z.object({ name: z.string(), version: z.string(), packages: z.record(z.string(), z.unknown()) });

interface Deployed extends z.infer<typeof Locked> {
  name: string;
  path: string;
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

function deployedOf(packages: Record<string, unknown>): Deployed[] {
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, entry]) => {
      const { name = nameOf(path), ...locked } = Locked.parse(entry);
      return { ...locked, name, path };
    })
    .filter(({ dev }) => !dev);
}

/** Throws if a package is missing or has another version than in the lock file. Optional packages may be missing. */
function checkInstalled(deployed: Deployed[]): void {
  const faults = deployed.flatMap(({ path, version, optional }) => {
    const manifest = join(root, path, 'package.json');
    if (!existsSync(manifest)) return optional ? [] : [`${path}: is not installed`];
    const installed = JSON.parse(readFileSync(manifest, 'utf8')).version;
    return installed === version ? [] : [`${path}: ${installed} is installed, but ${version} is locked`];
  });
  if (faults.length) throw new Error(`The installed packages differ from the lock file. Run npm ci.\n${faults.join('\n')}`);
}

const addressOf = ({ name, version }: { name: string; version: string }) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

function licencesOf(licence: string | undefined): object[] {
  if (licence === undefined) return [];
  return [/\b(OR|AND|WITH)\b/.test(licence) ? { expression: licence.replace(/^\(|\)$/g, '') } : { license: { id: licence } }];
}

function component(deployed: Deployed) {
  const [algorithm = '', digest = ''] = deployed.integrity.split('-', 2);
  return {
    type: 'library',
    'bom-ref': deployed.path,
    name: deployed.name,
    version: deployed.version,
    purl: addressOf(deployed),
    hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') }],
    licenses: licencesOf(deployed.license),
  };
}

export const sbom = command({
  summary: 'print the deployed packages as a CycloneDX document (use --json), without network or database',
  options: {},
  async run() {
    const { name, version, packages } = Lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
    const deployed = deployedOf(packages);
    checkInstalled(deployed);
    return {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      serialNumber: `urn:uuid:${randomUUID()}`,
      version: 1,
      metadata: { component: { type: 'application', 'bom-ref': name, name, version } },
      components: deployed.map(component),
    };
  },
  print: ({ components }) => components.map(({ purl }) => purl).join('\n'),
});
