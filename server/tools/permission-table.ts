import { permissions } from "../src/access/roles.ts";

/** The part of the OpenAPI document that the table uses. */
interface Document {
  paths: Record<string, Record<string, object>>;
}

const heading = "| permission | allows |\n|---|---|\n";

/** The text of docs/api/authentication.md with the table of permissions from the operations of the document. */
export function withPermissionTable(page: string, { paths }: Document): string {
  const start = page.indexOf(heading);
  if (start === -1) throw new Error("docs/api/authentication.md has no table of permissions.");
  const end = page.indexOf("\n\n", start) + 1;
  return page.slice(0, start) + heading + rows(paths) + page.slice(end);
}

function rows(paths: Document["paths"]): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      request: `\`${method.toUpperCase()} ${path}\``,
      permission: (operation as { "x-permission"?: string })["x-permission"],
    })),
  );
  return permissions
    .map((name) => {
      const allowed = operations.filter(({ permission }) => permission === name).map(({ request }) => request);
      return `| \`${name}\` | ${allowed.join(", ")} |\n`;
    })
    .join("");
}
