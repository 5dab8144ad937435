type CleanUp = () => unknown;

const cleanUps: CleanUp[] = [];

/**
 * Runs `cleanUp` when the current test file is through, after the file's own hooks; the newest first. For helpers that
 * are called at any time: Vitest takes a hook only while it loads the file.
 */
export function afterTestFile(cleanUp: CleanUp): void {
  cleanUps.push(cleanUp);
}

export async function cleanUpTestFile(): Promise<void> {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
}
