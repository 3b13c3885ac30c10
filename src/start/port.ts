import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { codeOf } from '../values/errors.ts';

/** Returns `port` if it is free, or any free one for 0. Throws an error that says what to do if it is in use. */
export async function freePort(port: number, host: string): Promise<number> {
  const probe = createServer();
  try {
    probe.listen(port, host);
    await once(probe, 'listening');
  } catch (error) {
    const code = codeOf(error);
    const why = code === 'EADDRINUSE' ? 'is in use' : `can't be used (${code})`;
    throw new Error(`Port ${port} ${why}: stop what uses it, or choose another one, for example PORT=${port + 1} npm start.`);
  }
  const found = (probe.address() as AddressInfo).port;
  probe.close();
  await once(probe, 'close');
  return found;
}
