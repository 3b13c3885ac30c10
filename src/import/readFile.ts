/** Reads an import file without holding it in memory. The first pass checks entries, later passes read them again (behaviour §2.24). */
import type { z } from 'zod';
import { itemTypes } from '../access/rights.ts';
import { linkNames } from '../items/fields.ts';
import { parseInput } from '../operations/input.ts';
import { dotted, type Path, withPath } from '../values/errors.ts';
import { entriesOf, type FoundEntry, type FoundList, type LongList, scan, valueIn } from './file/scan.ts';
import { Places, type Source } from './file/source.ts';
import { bytes, integers, positions } from './numbers.ts';
import { type List, Refs } from './refs.ts';
import { type EntryOf, entrySchemas, ImportFile, type ItemEntry, type PersonalNoteEntry } from './schema.ts';

export class ItemPlaces {
  readonly starts = positions();
  readonly lengths = integers();
  /** Indexes in `itemTypes`. */
  readonly types = bytes();
  /** Ref numbers of an item's links: from the previous item's end up to its own. */
  readonly linkEnds = integers();
  readonly links = integers();
  /** Like linkEnds and links, for blockers. */
  readonly blockerEnds = integers();
  readonly blockers = integers();
  /** 1 for items with labels. */
  readonly labelled = bytes();
  readonly sourced = bytes();

  add({ start, length }: FoundEntry, item: ItemEntry, refs: Refs): void {
    this.starts.push(start);
    this.lengths.push(length);
    this.types.push(itemTypes.indexOf(item.type));
    for (const name of linkNames) {
      const pointer = item.fields[name];
      if (pointer) this.links.push(refs.numberOf(pointer.ref));
    }
    this.linkEnds.push(this.links.length);
    for (const { ref } of item.blockedBy) this.blockers.push(refs.numberOf(ref));
    this.blockerEnds.push(this.blockers.length);
    this.labelled.push(item.labels.length ? 1 : 0);
    this.sourced.push(item.source ? 1 : 0);
  }
}

export interface NamedFolder {
  user: string;
  folder: string;
  n: number;
}

export interface Read<Name extends LongList> {
  entry: EntryOf<Name>;
  path: Path;
  n: number;
}

export class ReadFile {
  readonly file: ImportFile;
  readonly refs = new Refs();
  readonly #source: Source;
  readonly #places: Places;
  readonly #lists = new Map<string, FoundList>();
  readonly #items = new Map<string, ItemPlaces>();
  readonly #days = new Map<string, Set<string>>();
  readonly #folders = new Map<string, Map<string, NamedFolder>>();

  /** Throws InvalidRequest if the file is not JSON, an entry is invalid, or a ref is used twice. */
  constructor(source: Source) {
    this.#source = source;
    this.#places = new Places(source);
    const short = scan(source, (list) => {
      this.#lists.set(dotted(list.path), list);
      return this.#check(list);
    });
    this.file = parseInput(ImportFile, short, 'The file');
    this.#addShortLists();
  }

  *entries<Name extends LongList>(name: Name, owner: Path): Generator<Read<Name>> {
    const list = this.#lists.get(dotted([...owner, name]));
    if (!list) return;
    for (const { n, value } of entriesOf(this.#source, list)) {
      const path = [...list.path, n];
      yield { n, path, entry: checked(name, path, value) };
    }
  }

  itemsOf(workspace: Path): ItemPlaces {
    return this.#items.get(dotted(workspace)) ?? new ItemPlaces();
  }

  item(workspace: Path, { starts, lengths }: ItemPlaces, n: number): Read<'items'> {
    const path = [...workspace, 'items', n];
    return { n, path, entry: checked('items', path, valueIn(this.#places.read(starts.at(n), lengths.at(n)), path)) };
  }

  daysOf(account: Path): string[] {
    return [...(this.#days.get(dotted(account)) ?? [])];
  }

  foldersOf(account: Path): NamedFolder[] {
    return [...(this.#folders.get(dotted(account))?.values() ?? [])];
  }

  #check({ name, path }: FoundList): (entry: FoundEntry) => void {
    const owner = path.slice(0, -1);
    const check = <Name extends LongList>(of: Name, keep: (entry: EntryOf<Name>, found: FoundEntry) => void) => {
      return (found: FoundEntry) => keep(checked(of, [...path, found.n], found.value), found);
    };
    switch (name) {
      case 'items':
        return check(name, this.#keepItems(owner, this.#addList('item', path)));
      case 'planBlocks': {
        const list = this.#addList('planBlock', path);
        return check(name, ({ ref }) => this.refs.add(list, ref));
      }
      case 'personalNotes':
        return check(name, this.#keepNotes(owner, this.#addList('personalNote', path)));
      case 'timeEntries': {
        const days = ofKey(this.#days, dotted(path.slice(0, 2)), () => new Set<string>());
        return check(name, ({ date }) => void (date && days.add(date)));
      }
      case 'comments': {
        const list = this.#addList('comment', path);
        return check(name, () => this.refs.add(list, undefined));
      }
    }
  }

  #addList(kind: List['kind'], path: Path, existing?: true): List {
    const [, account, inside, workspace] = path;
    const within = inside === 'workspaces' && workspace !== undefined && { workspace: Number(workspace) };
    return this.refs.addList({ kind, path, account: Number(account), ...within, ...(existing && { existing }) });
  }

  #keepItems(workspace: Path, list: List) {
    const places = new ItemPlaces();
    this.#items.set(dotted(workspace), places);
    return (item: ItemEntry, found: FoundEntry) => {
      this.refs.add(list, item.ref);
      places.add(found, item, this.refs);
    };
  }

  #keepNotes(account: Path, list: List) {
    const folders = ofKey(this.#folders, dotted(account), () => new Map<string, NamedFolder>());
    return ({ ref, user, folder }: PersonalNoteEntry, { n }: FoundEntry) => {
      this.refs.add(list, ref);
      const key = JSON.stringify([user, folder]);
      if (folder !== null && !folders.has(key)) folders.set(key, { user, folder, n });
    };
  }

  #addShortLists(): void {
    const add = (kind: List['kind'], path: Path, entries: readonly { ref?: string | undefined }[], existing?: true) => {
      const list = this.#addList(kind, path, existing);
      for (const { ref } of entries) this.refs.add(list, ref);
    };
    for (const [a, { existing, users, workspaces, restKeys, connections }] of this.file.accounts.entries()) {
      const path = ['accounts', a];
      add('user', [...path, 'existing', 'users'], existing?.users ?? [], true);
      add('user', [...path, 'users'], users);
      add('workspace', [...path, 'workspaces'], workspaces);
      add('restKey', [...path, 'restKeys'], restKeys);
      add('connection', [...path, 'connections'], connections);
    }
  }
}

function checked<Name extends LongList>(name: Name, path: Path, value: unknown): EntryOf<Name> {
  return withPath(path, () => parseInput(entrySchemas[name] as unknown as z.ZodType<EntryOf<Name>>, value, null));
}

function ofKey<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
