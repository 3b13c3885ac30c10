/** /workspaces/:id?view=timeline (behaviour §26). Each bar links to a page that changes its dates; dragging sends the same form
 *  (items/change). */
import { itemTypes } from '../../access/rights.ts';
import { MOST_BARS, MOST_UNDATED, plannedTypes, showTimeline, type Timeline } from '../../overviews/timeline/showTimeline.ts';
import { inPieces } from '../../values/pieces.ts';
import type { Clock } from '../frame/clock.ts';
import { empty, notice } from '../frame/components/boxes.ts';
import { linkButton } from '../frame/components/button.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import type { Page } from '../frame/layout.ts';
import type { PageRequest } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { itemDropForm } from './board.ts';
import { isFiltered, type ListAddress, listInput } from './listAddress.ts';
import { noMatches } from './listFilters.ts';
import { mayWork } from './openWorkspace.ts';
import { awayHatch, groundOf, headOf, legend, stretchOf } from './timelineChart.ts';
import type { TimelinePage } from './timelinePage.ts';
import { timelineLines, undatedRow } from './timelineRows.ts';

export function readTimelineOf(request: PageRequest, asked: ListAddress, clock: Clock): Promise<Timeline> {
  const {
    group: _group,
    sort: _sort,
    reverse: _reverse,
    after: _after,
    limit: _limit,
    ...input
  } = listInput(Number(request.params.id), asked, clock.today);
  const { from, to } = stretchOf(asked, clock);
  return call(request, showTimeline, { ...input, archived: false, from, to, opened: asked.tasks.map(Number) });
}

const figures = new Intl.NumberFormat('en');

export function timelineMeta({ tree, more }: TimelinePage): string {
  const count = tree.lines.filter(({ row }) => row.matched && row.type !== 'task').length + tree.undated.length;
  return `${figures.format(count)}${more.dated || more.undated ? '+' : ''}`;
}

export async function timelineBody(page: TimelinePage): Promise<Pick<Page, 'body' | 'scripts' | 'sheets'>> {
  const { workspace, tree, address } = page;
  // Load the script for an empty timeline too: removing a filter may show rows that can be moved.
  const lines = await inPieces(tree.lines, timelineLines(page));
  const may = itemTypes.some((type) => mayWork(workspace, type, 'write'));
  return {
    scripts: may ? ['timeline'] : [],
    sheets: ['timeline'],
    body: html`<div id="work" class="in-time">${address.archived && notice('info', 'Archived items are shown only in the list.')}
${page.more.dated && notice('info', `Over ${MOST_BARS} items have dates. Only those nearest to the shown days are included. Add filters to see others.`)}
${tree.lines.length > 0 ? chart(page, lines, may) : tree.undated.length === 0 && nothing(page)}
${undated(page)}</div>
${may && itemDropForm(page)}<p class="vh" id="timeline-said" role="status" aria-live="assertive"></p>`,
  };
}

function chart(page: TimelinePage, lines: readonly Html[], may: boolean): Content {
  const { tree, stretch } = page;
  return html`${may && html`<p class="vh" id="timeline-how">With a bar in focus, Left and Right move it by a day. Shift moves its end. Enter saves, Escape cancels.</p>`}
<div class="tbox" tabindex="0" role="region" aria-label="Timeline"><table class="tline"${may && html` data-timeline data-arrows data-from="${stretch.from}" data-days="${stretch.days}" aria-describedby="timeline-how"`}>
<caption class="vh">Planned items from ${stretch.from} to ${stretch.to}</caption>
<thead><tr><th scope="col">Item</th><th scope="col"><span class="vh">Bars</span>${headOf(stretch)}</th><th scope="col">Dates</th></tr></thead>
<tbody><tr class="ground" aria-hidden="true"><td></td><td>${groundOf(tree.lines, page)}</td><td></td></tr>
${lines}</tbody></table></div>
${awayHatch}${legend}`;
}

function undated(page: TimelinePage): Content {
  const { undated: rows } = page.tree;
  if (rows.length === 0) return null;
  const count = `${figures.format(rows.length)}${page.more.undated ? '+' : ''}`;
  return html`<section class="undated" aria-labelledby="undated"><h2 id="undated">Without dates <span class="n">${count}</span></h2>
<ul class="rows plain rows-task">${rows.map((row) => undatedRow(page, row))}</ul>
${page.more.undated && html`<p class="hint">Only the first ${MOST_UNDATED} are shown. The list has all.</p>`}</section>`;
}

function nothing(page: TimelinePage): Content {
  if (isFiltered(page.address)) return noMatches(page, 'requirements, releases or milestones');
  const type = plannedTypes.find((one) => mayWork(page.workspace, one, 'write'));
  return empty({
    icon: 'chart-gantt',
    title: 'Nothing planned yet',
    text: 'The timeline shows requirements, releases and milestones with dates. Add dates to the first one.',
    ...(type && { action: linkButton(`${page.workspace.at}/new?type=${type}`, `New ${type}`, { icon: 'plus' }) }),
  });
}
