/** `changes`: the changes of a workspace, one line each (behaviour §2.23). */
import { beginning } from '../changes/cursor.ts';
import { InvalidRequest } from '../values/errors.ts';
import { command } from './command.ts';
import { hasWorkspace, readLines } from './listQueries.ts';
import { id, since } from './options.ts';

export const list = command({
  summary: 'list the changes of a workspace, oldest first, as one JSON object per line',
  options: { workspace: id('workspace'), since },
  async run(context, values) {
    const db = await context.db();
    if (!(await hasWorkspace(db.pool(), values.workspace)))
      throw new InvalidRequest(['workspace'], `there is no workspace ${values.workspace}; see workspace list.`);
    for (let after = beginning; ; ) {
      const lines = await readLines(db.pool(), values.workspace, values.since, after);
      const last = lines.at(-1);
      if (!last) return undefined;
      await context.write(`${lines.map(({ line }) => line).join('\n')}\n`);
      after = last.place;
    }
  },
});
