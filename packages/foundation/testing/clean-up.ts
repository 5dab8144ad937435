type CleanUp = () => unknown;

const cleanUps: CleanUp[] = [];

/**
 * Runs `cleanUp` at the end of the current test file, after the file's own hooks, in reverse order of registration. For
 * helpers that tests call: Vitest accepts hooks only while it loads the file.
 */
export function afterTestFile(cleanUp: CleanUp): void {
  cleanUps.push(cleanUp);
}

export async function cleanUpTestFile(): Promise<void> {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
}
