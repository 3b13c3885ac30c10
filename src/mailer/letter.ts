/** A mail as HTML and as complete plain text. Pure. Mail programs understand tables and inline style, and differ in their rule for dark
 *  colors, which are therefore given twice. */
import { type Content, Html, html } from '../values/html.ts';

export interface Letter {
  /** Shown next to the subject in a list of mails. */
  preheader: string;
  heading: string;
  lines?: readonly string[];
  work?: Work;
  /** Several notifications, as in the daily digest. */
  list?: readonly { text: string; href: string; excerpt?: string | null }[];
  button: { label: string; href: string };
  notes?: readonly string[];
  /** Links at the end: why the user gets this mail, and how to change that. */
  links?: readonly { label: string; href: string }[];
}

export interface Work {
  number: number;
  title: string;
  workspace: string | null;
  excerpt?: string | null;
}

const MOST_SHOWN = 280;

export function excerptOf(body: string): string {
  const plain = body
    .replaceAll('\n', ' ')
    .split(' ')
    .filter((word) => word !== '')
    .join(' ');
  const letters = [...plain];
  return letters.length > MOST_SHOWN
    ? `${letters
        .slice(0, MOST_SHOWN - 1)
        .join('')
        .trimEnd()}…`
    : plain;
}

export function letterText({ heading, lines = [], work, list = [], button, notes = [], links = [] }: Letter): string {
  const parts = [
    ...(lines[0] === undefined && list.length === 0 ? [heading] : []),
    ...lines,
    ...(work ? [workText(work)] : []),
    ...(list.length ? [list.map(({ text, href, excerpt }) => `- ${text}${excerpt ? `\n  > ${excerpt}` : ''}\n  ${href}`).join('\n')] : []),
    `${button.label}:\n${button.href}`,
    ...notes,
  ];
  const ending = links.map(({ label, href }) => `${label}: ${href}\n`).join('');
  return `${parts.join('\n\n')}\n${ending && `\n-- \n${ending}`}`;
}

const workText = ({ number, title, workspace, excerpt }: Work): string =>
  `#${number} ${title}${workspace === null ? '' : ` (${workspace})`}${excerpt ? `\n\n> ${excerpt}` : ''}`;

const font = "font-family:Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
/** Light colors. The style sheet has the dark ones. */
const tones = {
  ground: 'background:#f3f1eb',
  sheet: 'background:#fffefc;border:1px solid #e8e4db',
  well: 'background:#f8f6f1;border-left:3px solid #0b686b',
  ink: 'color:#1e1d19',
  soft: 'color:#514e46',
  quiet: 'color:#69655b',
  accent: 'color:#0b686b',
  button: 'background:#0b686b;color:#ffffff',
} as const;
type Tone = keyof typeof tones;

const dark = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){.ground{background:#0c1112!important}.sheet{background:#151b1c!important;border-color:#283132!important}
.well{background:#0e1213!important;border-color:#6ccbc4!important}.ink{color:#e9edec!important}.soft{color:#b5bebd!important}.quiet{color:#95a1a0!important}
.accent{color:#6ccbc4!important}.button{background:#6ccbc4!important;color:#0c1112!important}}
@media (max-width:599px){.sheet>tbody>tr>td{padding:20px 16px!important}}`;

const toned = (tone: Tone, style = ''): Html => html` class="${tone}" style="${tones[tone]};${style}"`;

/** `theirs`: text that a user wrote; its direction follows its own letters. */
const paragraph = (tone: Tone, style: string, content: Content, theirs = false): Html =>
  html`<p${theirs && html` dir="auto"`}${toned(tone, `${font};margin:0 0 12px;overflow-wrap:anywhere;${style}`)}>${content}</p>`;

const link = (href: string, label: Content): Html => html`<a href="${href}"${toned('accent', 'text-decoration:underline')}>${label}</a>`;

const workPart = ({ number, title, workspace, excerpt }: Work): Html =>
  html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0"${toned('well', 'margin:0 0 20px')}><tr><td style="padding:12px 16px">
${paragraph('ink', 'font-size:16px;line-height:22px;font-weight:600;margin:0', html`<span${toned('quiet', 'font-weight:400')}>#${number}</span> <bdi dir="auto">${title}</bdi>`)}
${workspace !== null && paragraph('quiet', 'font-size:13px;line-height:18px;margin:2px 0 0', workspace)}
${excerpt && paragraph('soft', 'font-size:15px;line-height:22px;margin:10px 0 0', `“${excerpt}”`, true)}</td></tr></table>`;

const buttonPart = ({ label, href }: Letter['button']): Html =>
  html`<table role="presentation" cellpadding="0" cellspacing="0" style="margin:4px 0 8px"><tr><td${toned('button', 'border-radius:8px')}><a href="${href}"${toned('button', `${font};display:inline-block;padding:12px 20px;border-radius:8px;font-size:15px;line-height:20px;font-weight:600;text-decoration:none`)}>${label}</a></td></tr></table>`;

export function letterHtml(letter: Letter): string {
  const { preheader, heading, lines = [], work, list = [], button, notes = [], links = [] } = letter;
  const body = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${heading}</title><style>${new Html(dark)}</style></head>
<body${toned('ground', 'margin:0;padding:0')}>
<div aria-hidden="true" style="display:none;max-height:0;overflow:hidden">${preheader}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"${toned('ground')}><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px"><tr><td style="padding:0 4px 12px">${paragraph('soft', 'font-size:15px;font-weight:600;margin:0', 'Stint')}</td></tr></table>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"${toned('sheet', 'max-width:600px;border-radius:12px')}><tr><td style="padding:28px 32px">
<h1${toned('ink', `${font};margin:0 0 16px;font-size:20px;line-height:28px;font-weight:600;overflow-wrap:anywhere`)}>${heading}</h1>
${lines.map((line) => paragraph('soft', 'font-size:15px;line-height:22px', line))}
${work && workPart(work)}
${list.map(({ text, href, excerpt }) => [
  paragraph('soft', 'font-size:15px;line-height:22px', html`<a href="${href}"${toned('accent', 'text-decoration:none')}>${text}</a>`),
  excerpt && paragraph('soft', 'font-size:14px;line-height:20px;margin:-8px 0 12px', `“${excerpt}”`, true),
])}
${buttonPart(button)}
${notes.map((note) => paragraph('quiet', 'font-size:13px;line-height:20px;margin:8px 0 0', note))}</td></tr></table>
${
  links.length > 0 &&
  html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px"><tr><td style="padding:12px 4px 0">${paragraph(
    'quiet',
    'font-size:13px;line-height:20px',
    links.map(({ label, href }, at) => html`${at > 0 && ' · '}${link(href, label)}`),
  )}</td></tr></table>`
}
</td></tr></table></body></html>`;
  return body.text;
}
