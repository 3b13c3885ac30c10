/** Webhook payloads, verification and retries (behaviour §16). */
import { codeBox } from '../frame/components/agent.ts';
import { markdown } from '../frame/components/markdown.ts';
import { type Html, html } from '../frame/html.ts';
import { type ApiDocument, nameOf } from './document.ts';
import { rowsOf, schemaTable } from './schema.ts';

export const webhookLinks: Html = html`<ul><li><a href="#sent">Messages</a></li><li><a href="#verify">Verify</a></li><li><a href="#answer">Respond</a></li><li><a href="#instead">Polling</a></li></ul>`;

const verify = `import { Webhook } from 'standardwebhooks';

const webhook = new Webhook('whsec_…');
// The body as it came, before any parsing.
const message = webhook.verify(rawBody, request.headers);`;

export function webhooksPart({ webhooks, components }: ApiDocument): Html {
  const { description, parameters = [], requestBody, responses } = webhooks.change.post;
  const { schema, examples = {} } = requestBody!.content['application/json'];
  const shape = schema.$ref ? components.schemas[nameOf(schema.$ref)]! : schema;
  const [example] = Object.values(examples);
  return html`<section id="sent"><h2>Messages</h2>${markdown(description)}
<h3>Headers</h3>${schemaTable(
    'Headers',
    parameters.map(({ name, description: words = '', schema: type }) => ({
      name,
      required: true,
      schema: { ...type, description: words },
    })),
    false,
  )}
<h3>Body</h3>${schemaTable('Fields of the body', rowsOf(withChange(shape, components.schemas)), false)}
${example && html`<pre class="example" tabindex="0" role="region" aria-label="Example"><code>${JSON.stringify(example.value, null, 2)}</code></pre>`}</section>
<section id="verify"><h2>Verify</h2><p>With any library for Standard Webhooks; in JavaScript:</p>${codeBox('verify-code', verify, 'to verify a message')}
<p>Refuse messages with a <code>webhook-timestamp</code> older than five minutes. Process each <code>webhook-id</code> once, because retries repeat it.</p></section>
<section id="answer"><h2>Respond</h2><ul>${Object.entries(responses).map(
    ([status, answered]) => html`<li><code>${status}</code>: ${answered.description}</li>`,
  )}</ul></section>
<section id="instead"><h2>Polling</h2><p>Without a public URL, poll <code>GET /changes</code> for the same messages in the same order.</p></section>`;
}

/** Inlines the schema of the change. */
const withChange = (shape: ApiDocument['components']['schemas'][string], schemas: ApiDocument['components']['schemas']): typeof shape => ({
  ...shape,
  properties: Object.fromEntries(
    Object.entries(shape.properties ?? {}).map(([name, value]) => [name, value.$ref ? (schemas[nameOf(value.$ref)] ?? value) : value]),
  ),
});
