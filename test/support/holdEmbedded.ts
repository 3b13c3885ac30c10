/** `node holdEmbedded.ts FOLDER`: a process that runs the embedded PostgreSQL, as `npm start` does, until a signal. */
import { startEmbedded } from '../../src/embedded/startEmbedded.ts';

const clock = setInterval(() => {}, 60_000);
try {
  const database = await startEmbedded(process.argv[2]!, { onLog: (line) => console.log(line) });
  database.announce('http://127.0.0.1:4711');
  const stop = async () => {
    await database.stop();
    clearInterval(clock);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  console.log(JSON.stringify({ msg: 'started', url: database.url, pid: database.pid }));
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
