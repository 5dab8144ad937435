import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";

export interface SourceFile {
  /** The path relative to the repository, with slashes. */
  path: string;
  text: string;
}

/**
 * The code files in these folders, without Go, installed and built files, and without the generated `schema.sql` and
 * `paths.ts`. Includes the generated files of the clients.
 */
export async function sourceFiles(root: string): Promise<SourceFile[]> {
  const pattern = "{packages,server,portal,clients,bench,scripts,database}/**/*.{ts,tsx,mjs,js,css,sql,py,php,rb}";
  const paths = await Array.fromAsync(
    glob(pattern, {
      cwd: root,
      exclude: ["**/node_modules/**", "**/dist/**", "database/schema.sql", "portal/src/api/paths.ts"],
    }),
  );
  return Promise.all(paths.sort().map(async (path) => ({ path, text: await readFile(join(root, path), "utf8") })));
}
