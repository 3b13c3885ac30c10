import { intAt } from './order.ts';

export class MinHeap {
  size = 0;
  readonly #items: Int32Array;

  constructor(capacity: number) {
    this.#items = new Int32Array(capacity);
  }

  /** The smallest item. Only valid while `size` > 0. */
  get top(): number {
    return intAt(this.#items, 0);
  }

  push(item: number): void {
    const items = this.#items;
    let place = this.size++;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = intAt(items, above);
      if (parent <= item) break;
      items[place] = parent;
      place = above;
    }
    items[place] = item;
  }

  pop(): void {
    const items = this.#items;
    const last = intAt(items, --this.size);
    const { size } = this;
    let place = 0;
    for (let below = 1; below < size; below = 2 * place + 1) {
      if (below + 1 < size && intAt(items, below + 1) < intAt(items, below)) below++;
      const child = intAt(items, below);
      if (child >= last) break;
      items[place] = child;
      place = below;
    }
    items[place] = last;
  }
}
