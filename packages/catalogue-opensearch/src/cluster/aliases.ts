import type { Build } from "./build.ts";
import type { Cluster } from "./cluster.ts";
import { type Kind, kinds, shapeDigest } from "./documents.ts";

/** The alias of the present build, which all searches use. */
export const aliasOf = (cluster: Cluster, kind: Kind): string => `${cluster.prefix}-${kind}-${shapeDigest}`;

/** Switches all searches to a build, in one step. */
export async function switchTo(cluster: Cluster, build: Build): Promise<void> {
  const actions = kinds.flatMap((kind) => [
    { remove: { index: `${aliasOf(cluster, kind)}-*`, alias: aliasOf(cluster, kind), must_exist: false } },
    { add: { index: build.index(kind), alias: aliasOf(cluster, kind) } },
  ]);
  await cluster.request("POST", "/_aliases", { actions }, { isLong: true });
}

/** Whether all searches use this build. */
export async function isSearched(cluster: Cluster, build: Build): Promise<boolean> {
  const indicesOfAliases = await Promise.all(
    kinds.map((kind) =>
      cluster.request<Record<string, unknown>>("GET", `/_alias/${aliasOf(cluster, kind)}`, undefined, { missing: {} }),
    ),
  );
  return kinds.every((kind, at) => Object.keys(indicesOfAliases[at] ?? {}).join() === build.index(kind));
}

/** Removes the aliases, so that no search has results. */
export async function removeAliases(cluster: Cluster): Promise<void> {
  for (const kind of kinds)
    await cluster.request("DELETE", `/${aliasOf(cluster, kind)}-*/_alias/${aliasOf(cluster, kind)}`, undefined, {
      missing: null,
    });
}

/** The indices of all other builds with these mappings: earlier builds and unfinished builds. */
export async function indicesOfOtherBuilds(cluster: Cluster, build: Build | null): Promise<string[]> {
  const others: string[] = [];
  for (const kind of kinds) {
    const response = await cluster.request<Record<string, unknown>>(
      "GET",
      `/${aliasOf(cluster, kind)}-*/_alias`,
      undefined,
      { missing: {} },
    );
    others.push(...Object.keys(response).filter((index) => index !== build?.index(kind)));
  }
  return others;
}

export async function removeIndices(cluster: Cluster, indices: readonly string[]): Promise<void> {
  for (const index of indices) await cluster.request("DELETE", `/${index}`, undefined, { missing: null, isLong: true });
}
