/** The issues that the exports in this folder have: what an import must find in them. Deterministic. */

export interface ModelComment {
  author: string;
  at: string;
  body: string;
}

export interface ModelIssue {
  n: number;
  type: 'Epic' | 'Story' | 'Bug' | 'Task' | 'Sub-task';
  title: string;
  /** Paragraphs in no markup. */
  description: string;
  status: string;
  priority: string;
  labels: string[];
  points: number | null;
  assignee: string | null;
  reporter: string;
  created: string;
  closed: string | null;
  due: string | null;
  parent: number | null;
  blockedBy: number[];
  sprint: string | null;
  milestone: string | null;
  comments: ModelComment[];
  checklist: { text: string; done: boolean }[];
  attachments: { name: string; url: string }[];
  /** Values that no field of ours takes. */
  votes: number;
}

export const people = [
  { name: 'Ana Lind', mail: 'ana@acme.example', id: '557058:11aa' },
  { name: 'Zoë Müller', mail: 'zoe@acme.example', id: '5f3c22bb' },
  { name: 'Łukasz Nowak', mail: 'lukasz@acme.example', id: '61b7cc33' },
  { name: '田中 愛', mail: 'ai@acme.example', id: '70121:44dd' },
  { name: "Sean O'Neil, Jr.", mail: 'sean@elsewhere.example', id: '712020:55ee' },
];
const statuses = ['Backlog', 'To Do', 'In Progress', 'In Review', 'Done', 'Won’t do'];
const priorities = ['Highest', 'High', 'Medium', 'Low', 'Lowest'];
const labels = ['checkout', 'mobile', 'Zahlung', 'résumé', 'tech debt', '支払い'];
const titles = [
  'Pay with a saved card',
  'Übersetzung fehlt im Warenkorb',
  'Refund "partial" orders',
  'Crash, when the cart is empty',
  '=HYPERLINK("http://evil.example","x")',
  'Résumé of the order by mail',
  '注文の確認',
  'Ünïcode in file names; and semicolons',
];
const points = [1, 2, 3, 5, 8, null];

const dayOf = (day: number) => new Date(Date.UTC(2025, 8, 1) + day * 86_400_000).toISOString().slice(0, 10);
const at = <T>(list: readonly T[], n: number): T => list[n % list.length]!;

function typeOf(n: number): ModelIssue['type'] {
  if (n <= 4) return 'Epic';
  return n % 7 === 0 ? 'Sub-task' : at(['Story', 'Bug', 'Task'] as const, n);
}

/** A Sub-task is below the issue before it, the others below an epic. */
function parentOf(n: number): number | null {
  const type = typeOf(n);
  if (type === 'Sub-task') return n - 1;
  return type === 'Epic' || n % 5 === 0 ? null : (n % 4) + 1;
}

export function modelIssue(n: number): ModelIssue {
  const status = at(statuses, n * 5 + Math.floor(n / 3));
  const isClosed = status === 'Done' || status === 'Won’t do';
  return {
    n,
    type: typeOf(n),
    title: `${at(titles, n)} (${n})`,
    description: n % 6 === 0 ? '' : `First line of ${n}, with "quotes".\nSecond line; 10 € for Zoë.\n\nA new paragraph: naïve café – 20 %.`,
    status,
    priority: at(priorities, n),
    labels: labels.filter((_label, l) => (n + l) % 4 === 0),
    points: typeOf(n) === 'Epic' ? null : at(points, n),
    assignee: n % 9 === 0 ? null : at(people, n).name,
    reporter: at(people, n + 1).name,
    created: `${dayOf(n)}T09:${String(n % 60).padStart(2, '0')}:00.000Z`,
    closed: isClosed ? `${dayOf(n + 20)}T16:30:00.000Z` : null,
    due: n % 3 === 0 ? dayOf(n + 30) : null,
    parent: parentOf(n),
    blockedBy: n > 12 && n % 8 === 3 ? [n - 5, n - 8] : [],
    sprint: n % 4 === 1 ? null : `Sprint ${(n % 3) + 1}`,
    milestone: n % 6 === 2 ? '2026.1 – Frühling' : null,
    comments: Array.from({ length: n % 4 }, (_, c) => ({
      author: at(people, n + c).name,
      at: `${dayOf(n + c + 1)}T1${c}:15:00.000Z`,
      body: `Comment ${c + 1} on ${n}: see "the log"; it’s fine.\nSecond line – ok?`,
    })),
    checklist:
      n % 10 === 4
        ? [
            { text: 'Write the test', done: true },
            { text: 'Größe prüfen', done: false },
          ]
        : [],
    attachments: n % 11 === 5 ? [{ name: `Bild ${n}.png`, url: `https://files.acme.example/${n}/bild.png` }] : [],
    votes: n % 13 === 0 ? n : 0,
  };
}

export const model = (count: number): ModelIssue[] => Array.from({ length: count }, (_, n) => modelIssue(n + 1));
export const personNamed = (name: string) => people.find((one) => one.name === name)!;
