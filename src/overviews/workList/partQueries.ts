import { z } from 'zod';
import { isReadable, readsGoals } from '../../access/queries.ts';
import { type ItemType, itemTypes } from '../../access/rights.ts';
import type { Fragment } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { PageForecast, pageForecastJson } from '../../items/forecastQueries.ts';
import { optionsJson, readerJson, readsWork, WorkspaceMembership } from '../../workspaces/queries.ts';
import { Options } from '../../workspaces/schema.ts';
import { viewsJson } from '../../workspaces/viewQueries.ts';
import { View } from '../../workspaces/viewSchema.ts';
import type { ListWork } from './input.ts';
import { hasForecast, ListRows } from './rowQueries.ts';
import { ListGroup, ListLabel, NamedItem } from './schema.ts';

export const FoundWork = z.object({
  membership: WorkspaceMembership.nullable(),
  types: z.array(z.enum(itemTypes)),
  options: Options,
  groups: z.array(ListGroup),
  rows: ListRows,
  named: z.array(NamedItem),
  labels: z.array(ListLabel),
  views: z.array(View),
  /** Of the rows that show one. */
  forecast: PageForecast.nullable(),
});

const labelsOfWorkspace = sql.fragment`(
  select coalesce(json_agg(json_build_object('id', l.id, 'name', l.name, 'color', l.color, 'archived', l.archived_at is not null)
    order by lower(l.name), l.id), '[]') from labels l where l.workspace_id = access.workspace_id and l.merged_into is null and ${readsWork})`;

/** The columns that a list, a board and a timeline share, for a statement with `access`: what the filters offer and name. */
export const aroundColumns = ({ within }: ListWork): Fragment => sql.fragment`
  ${readerJson} as membership, ${optionsJson} as options, ${viewsJson} as views, ${labelsOfWorkspace} as labels,
  (select coalesce(json_agg(json_build_object('id', i.id, 'type', i.type, 'title', i.title)), '[]') from items i
    where i.id = any(${sql.array([...within], 'int8')}) and i.workspace_id + 0 = access.workspace_id and i.shown
      and (i.type <> 'goal' or ${readsGoals}) and ${isReadable('i', 'access.context_rights')}) as named`;

/** JSON of ListGroups from CTE `counted`. */
export const groupsJson = sql.fragment`(select coalesce(json_agg(json_build_object('key', c.gkey, 'count', c.count, 'more', c.more,
  'estimated', coalesce(c.estimated, 0), 'remaining', coalesce(c.remaining, 0)) order by c.gn, c.gt), '[]') from counted c)`;

/** JSON of the PageForecast of a list of this type. */
export const pageForecastOf = (type: ItemType): Fragment => (hasForecast(type) ? pageForecastJson : sql.fragment`null::json`);
