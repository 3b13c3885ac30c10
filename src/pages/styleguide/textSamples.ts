import { markdown } from '../frame/components/markdown.ts';
import { people, type Samples } from './sample.ts';

const text = `# Caravans

They count as **two cars**, see #24 and ask @Bo Madsen. More at https://stint.example/caravans or [in the tariff](https://stint.example/tariff).

- length up to *12 m*
- height: \`height <= 4.2\`
    - with a roof box

1. measure
2. book

> It was always so.

\`\`\`
price(length) = base + ${'perMetre * '.repeat(12)}length
\`\`\`

| Length | Price |
|--------|-------|
| 5 m    | 40    |
| 7 m    | 62    |

![A deck plan](https://pictures.example/deck.png) and <b>no HTML</b>
`;

export const textSamples: Samples = {
  title: 'Texts',
  show: () => [['Markdown', markdown(text, { items: '/workspaces/1/items', people: [people.bo] })]],
};
