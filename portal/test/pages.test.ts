import { expect, test } from "vitest";
import { pageRoutes, readPages } from "../pages.ts";

const route = (lines: string) => `const one = createRoute({\n  getParentRoute: () => frame,\n${lines}});\n`;
const page = '  component: lazyPage(() => import("./pages/keys/keys-page.tsx"), "KeysPage"),\n';

test("a route with a path has the page from the route table, and a route without a path has none", () => {
  expect(readPages(route('  id: "frame",\n  component: Frame,\n') + route(`  path: "/keys",\n${page}`))).toEqual([
    { path: "/keys", module: "pages/keys/keys-page.tsx", area: null },
  ]);
  expect(pageRoutes().length).toBeGreaterThan(50);
});

test.each([
  ["a component that is no lazyPage", '  path: "/keys",\n  component: KeysPage,\n', '"/keys"'],
  ["an import by a variable", '  path: "/keys",\n  component: lazyPage(() => import(keys), "KeysPage"),\n', '"/keys"'],
  ["a path by a variable", `  path: keysPath,\n${page}`, "keysPath"],
  ["a path by shorthand", `  path,\n${page}`, "path"],
])("%s is refused with the route's path and the remedy", (_, lines, routePath) => {
  expect(() => readPages(route(lines) + route(`  path: "/other",\n${page}`))).toThrow(
    `the route with path ${routePath} has no HTML of its own. Write both as literals`,
  );
});
