/** A PostgreSQL with fsync that can be stopped or killed and restarted on the same files, or replaced by its standby. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Embedded, startEmbedded } from '../../src/embedded/startEmbedded.ts';
import { temporaryFolder } from '../support/disposable.ts';
import { rowsAt } from '../support/rowsAt.ts';
import { kill, promote, startStandby } from '../support/standby.ts';

export class Postgres {
  readonly log: string[] = [];
  /** Unexpected exits. */
  readonly unasked: string[] = [];
  readonly #above: string;
  /** Each primary has a folder of its own. */
  #primaries = 0;
  #server!: Embedded;
  #ending = false;

  private constructor(above: string) {
    this.#above = above;
  }

  static async start(): Promise<Postgres> {
    const postgres = new Postgres(temporaryFolder());
    await postgres.launch();
    return postgres;
  }

  /** Address of the database itself, without a proxy. It changes with a restart. */
  get url(): string {
    return this.#server.url;
  }

  /** `stop` rolls open transactions back. `crash` is SIGKILL: acknowledged writes must be in the write-ahead log. */
  async restart(how: 'stop' | 'crash'): Promise<void> {
    await this.stop(how);
    await this.launch();
  }

  async stop(how: 'stop' | 'crash'): Promise<void> {
    this.#ending = true;
    await (how === 'crash' ? kill(this.#server) : this.#server.stop());
  }

  async launch(): Promise<void> {
    this.#watch(await startEmbedded(this.#folder, this.#options));
  }

  /** Commits wait for a standby while `underLoad` runs. Then the primary is killed and the standby is promoted. */
  async failOver(underLoad: () => Promise<void>): Promise<void> {
    const from = this.#folder;
    this.#primaries++;
    const standby = await startStandby(this.#server, from, this.#folder, this.#options);
    await underLoad();
    this.#ending = true;
    await kill(this.#server);
    await promote(standby);
    this.#watch(standby);
  }

  /** Rows of one statement, on its own connection. */
  rows(text: string, values: unknown[] = []) {
    return rowsAt(this.url, text, values);
  }

  async end(): Promise<void> {
    this.#ending = true;
    await this.#server.stop();
    await rm(this.#above, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }

  get #folder(): string {
    return join(this.#above, `primary ${this.#primaries}`);
  }

  readonly #options = { onLog: (line: string) => void this.log.push(line) };

  #watch(server: Embedded): void {
    this.#ending = false;
    this.#server = server;
    void server.exited.then((tail) => {
      if (this.#server === server && !this.#ending) this.unasked.push(`PostgreSQL: ${tail.slice(-500)}`);
    });
  }
}
