/** People who sign in as `<name>@acme.example`, each with their own pages, for browser tests that share a server. */
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import type { ImportInput } from '../../src/import/schema.ts';
import { type FileBrowser, openAs as openAddress } from './browser.ts';
import { PASSWORD } from './password.ts';
import { oneWorkspace } from './world.ts';

type Parts = Parameters<typeof oneWorkspace>;

const emailOf = (person: string) => `${person}@acme.example`;

/** A workspace with these people, the first of them its owner. `others`: properties of the rest. */
export function workspaceOfPeople(
  people: readonly string[],
  workspace: Parts[0],
  account: Parts[1] = {},
  others: object = {},
): ImportInput {
  const [owner, ...rest] = people;
  const users = rest.map((ref) => ({ ref, email: emailOf(ref), name: ref, password: PASSWORD, ...others }));
  const file = oneWorkspace(workspace, { ...account, users });
  Object.assign(file.accounts[0]!.users![0]!, { email: emailOf(owner!), password: PASSWORD });
  return file;
}

/** A task of the person. */
export const assignedTask = (person: string, ref: string, title: string, fields: object = {}) => ({
  ref,
  type: 'task' as const,
  title,
  fields: { assigneeId: { ref: person }, ...fields },
});

export interface Opening {
  browser: FileBrowser;
  baseUrl: string;
  person: string;
  path: string;
  script?: boolean;
}

/** A page at `path`, signed in as the person. */
export async function openAs(t: ExecutionContext, { browser, baseUrl, person, path, script = true }: Opening): Promise<Page> {
  const page = await browser.page(t, script ? {} : { javaScriptEnabled: false });
  await openAddress(page, baseUrl, emailOf(person), baseUrl + path);
  return page;
}
