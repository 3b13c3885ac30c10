/** GitHub's issues as JSON: of `GET /repos/…/issues`, or of `gh issue list --json` (behaviour §36.14). */
import { z } from 'zod';
import { body, emptyIssue, instant, line, listOf, name, nameLine, orNull, othersOf, refusedEntry } from './entries.ts';
import { jsonEntries } from './json.ts';
import type { OpenSource, Person, SourceIssue, SourceRow } from './source.ts';
import type { Survey } from './surveySchema.ts';
import { webAddress } from './texts.ts';

const User = z.object({ login: nameLine });
const Named = z.union([name, z.object({ name }).transform((one) => one.name)]);
const Comment = z.object({
  author: orNull(User).optional(),
  user: orNull(User).optional(),
  body,
  createdAt: instant.optional(),
  created_at: instant.optional(),
});

/** Other properties are kept: the report counts them as lost. */
const Issue = z.looseObject({
  number: z.int().positive(),
  title: line,
  body,
  state: line,
  state_reason: orNull(z.string()).optional(),
  stateReason: orNull(z.string()).optional(),
  html_url: orNull(z.string()).optional(),
  url: orNull(z.string()).optional(),
  type: orNull(Named).optional(),
  labels: listOf(Named),
  assignees: listOf(User),
  assignee: orNull(User).optional(),
  user: orNull(User).optional(),
  author: orNull(User).optional(),
  milestone: orNull(z.object({ title: nameLine })).optional(),
  created_at: instant.optional(),
  createdAt: instant.optional(),
  closed_at: instant.optional(),
  closedAt: instant.optional(),
  comments: z.union([z.number(), listOf(Comment)]),
  pull_request: z.unknown().optional(),
});
type Issue = z.infer<typeof Issue>;

/** Read, empty in each export, or addresses of the API. */
const known = new Set([
  ...Object.keys(Issue.shape),
  ...'id node_id repository repository_url labels_url comments_url events_url timeline_url locked active_lock_reason author_association'.split(
    ' ',
  ),
  ...'updated_at updatedAt closed_by closed performed_via_github_app draft isPinned score reactions sub_issues_summary'.split(' '),
  ...'issue_dependencies_summary pinned_comment'.split(' '),
]);

export async function* githubRows({ encoding }: Survey, open: OpenSource): AsyncGenerator<SourceRow> {
  let at = 0;
  for await (const { value } of jsonEntries(open, encoding, ['$.*'])) {
    at++;
    const parsed = Issue.safeParse(value);
    if (!parsed.success) yield refusedEntry(at, null, 'it is not a GitHub issue: it needs a number, a title and a state');
    else if (parsed.data.pull_request) yield { line: at, key: keyOf(parsed.data), refused: 'pull requests are left out', skipped: true };
    else if (parsed.data.title === '') yield refusedEntry(at, keyOf(parsed.data), 'it has no title');
    else yield { line: at, key: keyOf(parsed.data), issue: issueOf(parsed.data) };
  }
}

const addressOf = (issue: Issue) => webAddress(issue.html_url ?? issue.url ?? '');

/** `owner/name#12` if the address has the repository: up to 200 characters. */
function keyOf(issue: Issue): string {
  const [, repository] = /^https:\/\/[^/]+\/([^/]{1,80}\/[^/]{1,100})\/issues\/\d+$/.exec(addressOf(issue) ?? '') ?? [];
  return `${repository ?? ''}#${issue.number}`;
}

const personOf = (user: z.infer<typeof User> | null | undefined): Person | null => (user?.login ? { name: user.login, mail: null } : null);

function issueOf(issue: Issue): SourceIssue {
  const assignees = [...issue.assignees, ...(issue.assignee ? [issue.assignee] : [])];
  const isClosed = issue.state.toLowerCase() === 'closed';
  const reason = (issue.stateReason ?? issue.state_reason ?? '').toLowerCase();
  const list = typeof issue.comments === 'number' ? [] : issue.comments;
  const url = addressOf(issue);
  return {
    ...emptyIssue,
    key: keyOf(issue),
    url: url?.startsWith('https://api.') ? null : url,
    title: issue.title,
    description: issue.body,
    type: issue.type || null,
    status: isClosed && reason === 'not_planned' ? 'Not planned' : isClosed ? 'Closed' : 'Open',
    closed: isClosed ? (reason === 'not_planned' || reason === 'duplicate' ? 'cancelled' : 'done') : null,
    labels: issue.labels,
    assignee: personOf(assignees[0]),
    reporter: personOf(issue.user ?? issue.author),
    createdAt: issue.created_at ?? issue.createdAt ?? null,
    closedAt: issue.closed_at ?? issue.closedAt ?? null,
    milestones: issue.milestone?.title ? [issue.milestone.title] : [],
    comments: list.map((one) => ({
      author: personOf(one.author ?? one.user),
      createdAt: one.createdAt ?? one.created_at ?? null,
      body: one.body,
    })),
    other: [...othersOf(issue, known), ...lostOf(issue)],
  };
}

function lostOf(issue: Issue): string[] {
  const reactions = z.object({ total_count: z.number() }).safeParse(issue.reactions).data?.total_count;
  return [
    ...(issue.assignees.length > 1 ? ['Assignees after the first'] : []),
    ...(typeof issue.comments === 'number' && issue.comments > 0 ? ['Comments: this file has only their number'] : []),
    ...(reactions ? ['Reactions'] : []),
  ];
}
