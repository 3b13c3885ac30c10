/** A data table. On phones its rows become cards. */
import { type Content, type Html, html } from '../html.ts';

export interface Column {
  label: Content;
  /** Aligned to the end. */
  number?: boolean;
  /** The heading is only for screen readers (a column of buttons). */
  quiet?: boolean;
}

export interface Row {
  attributes: Content;
  cells: readonly Content[];
}

/** ```ts
 *  table({ caption: 'Keys', columns: [{ label: 'Name' }, { label: 'Last used' }] }, [['CI', moment(…)]])
 *  ```
 *  The first cell of a row is its heading. */
export function table(
  props: { caption: string; columns: readonly Column[]; class?: string },
  rows: readonly (readonly Content[] | Row)[],
): Html {
  const { caption, columns, class: more } = props;
  const head = columns.map(
    ({ label, number, quiet }) =>
      html`<th scope="col"${number && html` class="num"`}>${quiet ? html`<span class="vh">${label}</span>` : label}</th>`,
  );
  const cell = (content: Content, at: number): Content => {
    const column = columns[at];
    const attributes = [column?.number && html` class="num"`, column && !column.quiet && html` data-label="${column.label}"`];
    return at === 0 ? html`<th scope="row">${content}</th>` : html`<td${attributes}>${content}</td>`;
  };
  return html`<table class="table${more && ` ${more}`}"><caption class="vh">${caption}</caption><thead><tr>${head}</tr></thead><tbody>${rows.map(
    (row) => ('cells' in row ? html`<tr${row.attributes}>${row.cells.map(cell)}</tr>` : html`<tr>${row.map(cell)}</tr>`),
  )}</tbody></table>`;
}
