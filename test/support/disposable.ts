/** PostgreSQL to throw away: gone, with its folder, when `stop` is called or this process ends in whatever way. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Embedded, startEmbedded } from '../../src/embedded/startEmbedded.ts';

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'stint-'));

export const startDisposable = (): Promise<Embedded> => startEmbedded(temporaryFolder(), { disposable: true });
