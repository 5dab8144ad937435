// The modules that portal/docs/plugin.ts generates from the documents.

declare module "virtual:docs-contents" {
  const groups: import("../docs/read.ts").DocsGroup[];
  export default groups;
}

declare module "virtual:client-reference" {
  const pages: Readonly<Record<string, () => Promise<{ default: import("./pages/docs/documents.ts").GuideDocument }>>>;
  export default pages;
}

declare module "virtual:search-index" {
  const index: { docs: object; calls: import("./shell/search/search-docs.ts").SearchableCall[] };
  export default index;
}
