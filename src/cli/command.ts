import type { z } from 'zod';
import type { Limits } from '../database/connections.ts';
import type { Db } from '../database/db.ts';
import type { OpenFile } from '../import/file/open.ts';
import type { WebhookSettings } from '../webhooks/manage.ts';

export interface Option<Schema extends z.ZodType = z.ZodType> {
  /** Parses the text of the option, or `true` for a switch. Must accept undefined if the option is optional. */
  schema: Schema;
  /** Name of the value in the help. Null for a switch. */
  value: string | null;
  help: string;
}

export const option = <Schema extends z.ZodType>(schema: Schema, value: string | null, help: string): Option<Schema> => ({
  schema,
  value,
  help,
});

export type Options = Record<string, Option>;
type Values<Given extends Options> = { [Name in keyof Given]: z.infer<Given[Name]['schema']> };

/** Everything that commands use. Opens nothing before its first use. */
export interface Context {
  /** Throws an Error with instructions if there is no database. */
  databaseUrl(): string;
  embedded(): boolean;
  /** The service's public address without a trailing slash. Throws an Error that names the fault. */
  baseUrl(): string;
  /** Settings for creating webhooks. Throws an Error that names the fault. */
  webhooks(): WebhookSettings;
  /** The service's SECRET_KEY. Throws an Error that names the fault. */
  secretKey(): string;
  /** Connected and migrated. The caller of the command closes it. */
  db(limits?: Limits): Promise<Db>;
  readText(file: string): Promise<string>;
  /** Like `readText`, but reads any part on demand and holds nothing in memory. */
  openFile(file: string): Promise<OpenFile>;
  /** Writes to stdout. Resolves when it can take more. For output too large for memory. */
  write(text: string): Promise<void>;
}

export class Pieces {
  readonly json: Iterable<string>;
  readonly lines: Iterable<string>;

  constructor(json: Iterable<string>, lines: Iterable<string>) {
    this.json = json;
    this.lines = lines;
  }
}

export interface Command<Given extends Options = Options> {
  summary: string;
  argument?: string;
  /** The switch that replaces the argument. */
  alone?: string;
  options: Given;
  note?: string;
  /** Returns the value that `--json` prints; `ok: false` in it sets exit code 1. Returns undefined if it has written everything itself. */
  run(context: Context, values: Values<Given>, argument: string): Promise<object | undefined>;
  print?(result: object): string;
}

// biome-ignore lint/suspicious/noExplicitAny: commands of all kinds of options stand in one table
export const command = <Given extends Options>(definition: Command<Given>): Command<any> => definition;
