/** The page of a new key. The key is shown only once (behaviour §12.3, §7.30). */
import { newKey, secret } from '../frame/components/agent.ts';
import { linkButton } from '../frame/components/button.ts';
import { html } from '../frame/html.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import { PATH } from './cards.ts';
import { waitingForCall } from './connected.ts';
import { setUpTabs, VARIABLE, variableLine } from './setUpLines.ts';

export function keyPage({ deps, basePath }: PageRequest, title: string, id: number, key: string): Answer {
  return {
    title: 'New key',
    wide: true,
    body: html`<div class="agents">${newKey({
      id: 'new-key-title',
      title,
      key: html`<p class="flabel">Key</p>${secret('new-key', key, 'the key')}
<p class="hint">Copy the key now. It is shown only once. The agent acts as you, within your permissions.</p>
<p class="flabel">Where you start the client, set <code>${VARIABLE}</code></p>${variableLine(key)}
${waitingForCall(basePath, id)}`,
      setUp: html`${setUpTabs(`${deps.config.baseUrl}/mcp`)}<p class="hint">Then ask the agent: “What is on my day in Stint?”</p>`,
    })}<p>${linkButton(`${basePath}${PATH}`, 'Back to Agents', { icon: 'arrow-left' })}</p></div>`,
  };
}
