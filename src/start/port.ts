/** The port of `npm start`, looked at before anything is started that would have to be stopped again. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** `port` if it is free (0 stands for any free one). Throws, saying what to do, when it is in use. */
export async function freePort(port: number, host: string): Promise<number> {
  const probe = createServer();
  try {
    probe.listen(port, host);
    await once(probe, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'is in use' : `can't be used (${code})`;
    throw new Error(`Port ${port} ${why}: stop what uses it, or choose another one, for example PORT=${port + 1} npm start.`);
  }
  const found = (probe.address() as AddressInfo).port;
  probe.close();
  await once(probe, 'close');
  return found;
}
