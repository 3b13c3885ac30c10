export class MinHeap {
  size = 0;
  readonly #items: Uint32Array;

  constructor(capacity: number) {
    this.#items = new Uint32Array(capacity);
  }

  /** The smallest item. Only valid while `size` > 0. */
  get top(): number {
    return this.#items[0]!;
  }

  push(item: number): void {
    const items = this.#items;
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (items[parent]! <= item) break;
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = item;
  }

  pop(): void {
    const items = this.#items;
    const last = items[--this.size]!;
    const { size } = this;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && items[child + 1]! < items[child]!) child++;
      if (items[child]! >= last) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = last;
  }
}
