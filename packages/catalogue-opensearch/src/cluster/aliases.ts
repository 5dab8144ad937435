import type { Build } from "./build.ts";
import type { Cluster } from "./cluster.ts";
import { type Kind, kinds, shapeDigest } from "./documents.ts";

/** The name under which the present build is searched. */
export const aliasOf = (cluster: Cluster, kind: Kind): string => `${cluster.prefix}-${kind}-${shapeDigest}`;

/** Lets all searches find this build, in one step. */
export async function switchTo(cluster: Cluster, build: Build): Promise<void> {
  const actions = kinds.flatMap((kind) => [
    { remove: { index: `${aliasOf(cluster, kind)}-*`, alias: aliasOf(cluster, kind), must_exist: false } },
    { add: { index: build.index(kind), alias: aliasOf(cluster, kind) } },
  ]);
  await cluster.request("POST", "/_aliases", { actions }, { isLong: true });
}

/** Lets no search find anything. */
export async function removeAliases(cluster: Cluster): Promise<void> {
  for (const kind of kinds)
    await cluster.request("DELETE", `/${aliasOf(cluster, kind)}-*/_alias/${aliasOf(cluster, kind)}`, undefined, {
      missing: null,
    });
}

/** Removes earlier builds of the same shape, and those that were left unfinished. */
export async function removeOtherBuilds(cluster: Cluster, build: Build): Promise<void> {
  for (const kind of kinds) {
    const response = await cluster.request<Record<string, unknown>>(
      "GET",
      `/${aliasOf(cluster, kind)}-*/_alias`,
      undefined,
      { missing: {} },
    );
    for (const index of Object.keys(response))
      if (index !== build.index(kind))
        await cluster.request("DELETE", `/${index}`, undefined, { missing: null, isLong: true });
  }
}
