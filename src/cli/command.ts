/** The shape of a command of the operator's command line. */
import type { z } from 'zod';
import type { Limits } from '../database/connections.ts';
import type { Db } from '../database/db.ts';
import type { OpenFile } from '../import/file/open.ts';
import type { WebhookSettings } from '../webhooks/manage.ts';

export interface Option<Schema extends z.ZodType = z.ZodType> {
  /** Reads the text given, or true for a switch; optional when it may be left out. */
  schema: Schema;
  /** What stands behind the name in the help; null for a switch. */
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

/** What commands work with; nothing is opened before it is asked for. */
export interface Context {
  /** Throws, saying what to do, when there is none. */
  databaseUrl(): string;
  /** The database is that of an `npm start` which runs in this folder. */
  embedded(): boolean;
  /** The service's public address, without a trailing slash. Throws, saying what is wrong with it. */
  baseUrl(): string;
  /** What webhooks are made with. Throws, saying what is missing or wrong. */
  webhooks(): WebhookSettings;
  /** The service's SECRET_KEY. Throws, saying what is missing or wrong. */
  secretKey(): string;
  /** Connected and migrated. Closed by the caller of the command. */
  db(limits?: Limits): Promise<Db>;
  /** All of a file, or of stdin for `-`. */
  readText(file: string): Promise<string>;
  /** As `readText`, of which any part can be read again; nothing is held of it. */
  openFile(file: string): Promise<OpenFile>;
  /** To stdout, for what is too large to be held; resolves when more may follow. */
  write(text: string): Promise<void>;
}

/** What is printed where it is too large to be held as one text. */
export class Pieces {
  readonly json: Iterable<string>;
  readonly lines: Iterable<string>;

  /** `lines`: for people. */
  constructor(json: Iterable<string>, lines: Iterable<string>) {
    this.json = json;
    this.lines = lines;
  }
}

export interface Command<Given extends Options = Options> {
  summary: string;
  /** What stands behind the command's name, where something must. */
  argument?: string;
  /** The switch with which it stands alone, without the argument. */
  alone?: string;
  options: Given;
  /** What the help says below the options. */
  note?: string;
  /** Resolves to what `--json` prints, `ok: false` in it makes the exit code 1; to undefined when it has written all itself. */
  run(context: Context, values: Values<Given>, argument: string): Promise<object | undefined>;
  /** For people; its fields line by line when left out. */
  print?(result: object): string;
}

/** Gives `run` the types of its options. */
// biome-ignore lint/suspicious/noExplicitAny: commands of all kinds of options stand in one table
export const command = <Given extends Options>(definition: Command<Given>): Command<any> => definition;
