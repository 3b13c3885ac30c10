import { actor, codeBox, connection, newKey, outcome, secret, tabs } from '../frame/components/avatar.ts';
import { iconButton } from '../frame/components/button.ts';
import { badge } from '../frame/components/marks.ts';
import { table } from '../frame/components/row.ts';
import { ago } from '../frame/components/when.ts';
import { html } from '../frame/html.ts';
import { people, type Samples } from './listSamples.ts';

const setUp = `claude mcp add --transport http stint \\\n  https://stint.example/mcp \\\n  --header "Authorization: Bearer $STINT_KEY"`;

export const agentSamples: Samples = {
  title: 'Agents',
  show: ({ clock, id }) => [
    [
      'A key, shown once',
      newKey({
        id: `${id}key-title`,
        title: 'Claude Code on the laptop is ready',
        key: html`<p class="flabel">Key</p>${secret(`${id}key`, 'stint-example-key-not-a-real-one-7Qm', 'the key')}<p class="hint">It acts as you, within your permissions, until <b>23 February 2027</b>.</p>${badge('amber', 'hourglass', 'Waiting for the first call')}`,
        setUp: tabs(`${id}client`, 'Set up in', [
          { id: 'cc', label: 'Claude Code', body: codeBox(`${id}cc`, setUp, 'for Claude Code') },
          {
            id: 'cu',
            label: 'Cursor',
            body: codeBox(`${id}cu`, '{ "mcpServers": { "stint": { "url": "https://stint.example/mcp" } } }', 'for Cursor'),
          },
        ]),
      }),
    ],
    [
      'Connections',
      html`<div class="conns">${connection({ name: "Ana's assistant", where: 'Ferry booking and Website', more: iconButton('ellipsis', "More for Ana's assistant", { type: 'button' }), may: ['Write and delete tasks', 'Record time and plan blocks as you'], mayNot: ['Only reads releases and milestones'], use: html`<b>212 calls in 7 days</b><br>Last used 3 h ago<br>Does not expire`, calls: [31, 44, 28, 3, 0, 52, 54] })}${connection({ name: 'Old laptop', where: 'Website', may: [], mayNot: ['Revoked on 2 November by you'], use: html`<b>No calls</b><br>${badge('plain', 'ban', 'Revoked')}`, calls: [0, 0, 0, 0, 0, 0, 0], off: true })}</div>`,
    ],
    [
      'Recent activity',
      table(
        {
          caption: `Recent activity ${id}`,
          class: 'act',
          columns: ['Agent', 'Tool', 'Action', 'When', 'Result'].map((label) => ({ label })),
        },
        [
          [
            actor(people.agent),
            html`<code>add_note</code>`,
            html`Added a note to <a href="#">12 Take a car along</a>, rewritten`,
            ago('2026-11-25T07:40:00Z', clock),
            outcome(true, 'Done'),
          ],
          [
            actor(people.agent),
            html`<code>update_work</code>`,
            html`Tried to change release <a href="#">1.1 Cars and changes</a>: it may only read releases`,
            ago('2026-11-24T16:21:00Z', clock),
            outcome(false, 'Refused'),
          ],
        ],
      ),
    ],
  ],
};
