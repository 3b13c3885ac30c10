/** The part of the package that scripts use; it has no types of its own. */
declare module 'sortablejs' {
  interface Options {
    onStart?(event: { item: HTMLElement }): void;
    onMove?(event: { to: HTMLElement }): void;
    onEnd?(event: { item: HTMLElement; oldIndex?: number; newIndex?: number }): void;
    [option: string]: unknown;
  }
  const Sortable: { create(list: HTMLElement, options: Options): unknown };
  export default Sortable;
}
