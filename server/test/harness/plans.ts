/** A node of what `explain (analyze, format json)` tells. */
export interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: PlanNode[];
}

/** The nodes that read a table, below and with this one. */
export const scansOf = (table: string, node: PlanNode): PlanNode[] => [
  ...(node["Relation Name"] === table ? [node] : []),
  ...(node.Plans ?? []).flatMap((below) => scansOf(table, below)),
];

/** How many rows or entries a node has looked at, those it left out included. */
export const lookedAt = (node: PlanNode): number =>
  node["Actual Loops"] * (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0));
