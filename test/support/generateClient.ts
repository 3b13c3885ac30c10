/** `node test/support/generateClient.ts`: generates the types of a client from the API document into test/rest/api.generated.ts. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTypes, { astToString } from 'openapi-typescript';
import { Listener } from '../../src/database/listen.ts';
import { openapi } from '../../src/rest/openapi.ts';
import { restRoutes } from '../../src/rest/routes.ts';

const place = fileURLToPath(new URL('../rest/api.generated.ts', import.meta.url));
const biome = fileURLToPath(new URL('../../node_modules/.bin/biome', import.meta.url));

/** The expected content of the generated file. */
export async function generateClient(): Promise<string> {
  const document = openapi(restRoutes({ secretKey: 'not used', listener: new Listener('not used') }), {
    baseUrl: 'https://work.example.org',
    basePath: '',
    https: true,
    limits: { rest: 600, mcp: 300, pages: 600, signIn: 10 },
  });
  const types = astToString(await openapiTypes(JSON.parse(JSON.stringify(document)), { alphabetize: true }));
  const formatted = spawnSync(biome, ['format', '--stdin-file-path', place], { input: types, encoding: 'utf8' });
  if (formatted.status !== 0) throw new Error(formatted.stderr);
  return `// Generated from the API document by \`node test/support/generateClient.ts\`: not to be edited.\n${formatted.stdout}`;
}

export const committedClient = (): string => readFileSync(place, 'utf8');

if (import.meta.main) writeFileSync(place, await generateClient());
