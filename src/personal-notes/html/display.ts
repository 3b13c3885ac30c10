/** Prepares stored HTML for display. It was checked on saving (`html.ts`). Headings go one level down; links send no referrer. Call it in the
 *  helper thread only (`readNoteHtml.ts`). */
import { type DefaultTreeAdapterTypes as Dom, defaultTreeAdapter as dom, html as names, parseFragment, serialize } from 'parse5';

const headings: Record<string, string> = { h1: 'h2', h2: 'h3', h3: 'h4', h4: 'h5' };

export function displayedNote(stored: string): string {
  const div = dom.createElement('div', names.NS.HTML, []);
  const tree = parseFragment(div, stored, { treeAdapter: dom });
  tree.childNodes = tree.childNodes.flatMap(withLineBreaks);
  for (const node of tree.childNodes) adapt(node);
  return serialize(tree);
}

function adapt(node: Dom.ChildNode): void {
  if (!dom.isElementNode(node)) return;
  const tag = headings[node.tagName] ?? node.tagName;
  node.tagName = tag;
  node.nodeName = tag;
  if (tag === 'a') node.attrs.push({ name: 'rel', value: 'noopener noreferrer nofollow' });
  for (const child of node.childNodes) adapt(child);
}

/** Text outside elements keeps its line breaks. */
function withLineBreaks(node: Dom.ChildNode): Dom.ChildNode[] {
  if (!dom.isTextNode(node) || node.value.trim() === '') return [node];
  return node.value
    .split('\n')
    .flatMap((line, at) => [...(at > 0 ? [dom.createElement('br', names.NS.HTML, [])] : []), dom.createTextNode(line)]);
}
