/** Types that all browser scripts use. Elements found by a selector or an event are not typed further. */

interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}
interface Element {
  closest(selectors: string): any;
  [property: string]: any;
}
interface Document {
  [property: string]: any;
}
interface Window {
  [property: string]: any;
}
interface Navigator {
  [property: string]: any;
}
interface EventTarget {
  [property: string]: any;
}
interface Event {
  [property: string]: any;
}
interface HTMLFormControlsCollection {
  [name: string]: any;
}
interface NamedNodeMap {
  [name: string]: any;
}
