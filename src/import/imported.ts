/** The results of an import (behaviour §2.8), as generators, because there may be millions. */
import { dotted } from '../values/errors.ts';
import { elementAt } from '../values/records.ts';
import type { Unassigned } from './home.ts';
import type { ReadFile } from './readFile.ts';
import type { Found } from './refs.ts';

export interface ImportedRef {
  id: number;
  key?: string;
}

export interface ImportedKey {
  at: string;
  id: number;
  name: string;
  key: string;
}

const secretLists = ['restKeys', 'connections'] as const;
export type Secrets = Record<(typeof secretLists)[number], { secret: string }[]>;

export class Imported {
  readonly #read: ReadFile;
  readonly #secrets: readonly Secrets[];

  readonly #unassigned: readonly Unassigned[];

  constructor(read: ReadFile, secrets: readonly Secrets[], unassigned: readonly Unassigned[]) {
    this.#read = read;
    this.#secrets = secrets;
    this.#unassigned = unassigned;
  }

  *refs(): Generator<[string, ImportedRef]> {
    for (const { ref, list, n } of this.#read.refs.all()) {
      const key = this.#keyOf({ list, n });
      yield [ref, { id: elementAt(list.ids, n), ...(key && { key }) }];
    }
  }

  *keys(): Generator<ImportedKey> {
    for (const [a, account] of this.#read.file.accounts.entries()) {
      for (const name of secretLists) {
        const list = this.#read.refs.listAt(['accounts', a, name]);
        for (const [n, entry] of account[name].entries()) {
          if (entry.ref === undefined)
            yield { at: dotted([...list.path, n]), id: elementAt(list.ids, n), name: entry.name, key: this.#secretOf(a, name, n) };
        }
      }
    }
  }

  *warnings(): Generator<string> {
    for (const { at, person } of this.#unassigned) yield `${at}: left empty. '${person}' cannot be assigned in this workspace.`;
    for (const [a, { existing, connections }] of this.#read.file.accounts.entries()) {
      for (const [n, { notes }] of connections.entries()) {
        if (existing && notes.length)
          yield `${dotted(['accounts', a, 'connections', n, 'notes'])}: ignored. Users of an existing account grant access to their notes themselves, on the page Agents.`;
      }
    }
  }

  #keyOf({ list: { kind, account }, n }: Found): string | undefined {
    if (kind === 'restKey') return this.#secretOf(account, 'restKeys', n);
    return kind === 'connection' ? this.#secretOf(account, 'connections', n) : undefined;
  }

  #secretOf = (account: number, list: keyof Secrets, n: number): string => elementAt(elementAt(this.#secrets, account)[list], n).secret;
}
