import type { ClauseName } from "./clauses.ts";
import { type Grant, lastDayOf, limitOf } from "./judge.ts";

// A license as an ODRL policy (W3C ODRL Information Model 2.2; docs/licenses.md, As ODRL). Pure.

export interface OdrlLicense {
  grant: Grant;
  title: string;
  issuedAt: Date;
  /** The address of the license. */
  url: string;
  /** The address of the licensed work. */
  target: string;
  /** The address of the licensor. */
  assigner: string;
  /** The address of the page about clauses. */
  profile: string;
  /** The address of the license that this license replaces; null if it replaces none. */
  replaces: string | null;
  /** The address of the license that replaced this license; null if none did. */
  replacedBy: string | null;
}

/** The actions of clauses with a number. The page `profile` explains the actions with the prefix `clause:`. */
const countedActions = {
  copies: "odrl:distribute",
  streams: "odrl:stream",
  videos: "clause:videos",
  radio_stations: "clause:radio_stations",
  paid_performances: "clause:paid_performances",
  song: "odrl:derive",
} as const satisfies Partial<Record<ClauseName, string>>;

/** The actions of clauses whose value is yes or no. */
const actions = {
  authorship: "clause:authorship",
  resale: "odrl:sell",
  sublicense: "odrl:grantUse",
  content_id: "clause:content_id",
  training: "clause:training",
} as const satisfies Partial<Record<ClauseName, string>>;

const constraint = (leftOperand: string, operator: string, rightOperand: unknown) => ({
  "@type": "odrl:Constraint",
  leftOperand,
  operator,
  rightOperand,
});

export function odrlPolicy(license: OdrlLicense) {
  const { grant, title, issuedAt, url, target, assigner, profile, replaces, replacedBy } = license;
  const rule = { target, assigner };
  const commonConstraints = [...dateConstraints(grant), ...placeConstraints(grant)];
  const duty = says(grant, "credit") ? { duty: [{ action: "odrl:attribute", attributedParty: assigner }] } : {};
  const permission = [];
  const prohibition = [];
  for (const [name, action] of Object.entries(countedActions) as [keyof typeof countedActions, string][]) {
    if (!hasClause(grant, name)) continue;
    const limit = limitOf(grant, name);
    const countConstraints = limit === null ? [] : [constraint("odrl:count", "odrl:lteq", limit)];
    const constraints = [...countConstraints, ...commonConstraints];
    if (limit === 0) prohibition.push({ ...rule, action });
    else permission.push({ ...rule, action, ...(constraints.length > 0 && { constraint: constraints }), ...duty });
  }
  for (const [name, action] of Object.entries(actions) as [keyof typeof actions, string][]) {
    if (!hasClause(grant, name)) continue;
    if (!says(grant, name)) prohibition.push({ ...rule, action });
    else permission.push({ ...rule, action, ...(commonConstraints.length > 0 && { constraint: commonConstraints }) });
  }
  // The licensor must not license the work to others.
  if (says(grant, "exclusive")) prohibition.push({ target, action: "odrl:grantUse", assignee: assigner });
  return {
    "@context": [
      "http://www.w3.org/ns/odrl.jsonld",
      {
        clause: `${profile}#`,
        dcterms: "http://purl.org/dc/terms/",
        attributedParty: { "@id": "odrl:attributedParty", "@type": "@id" },
      },
    ],
    "@type": "Set",
    uid: url,
    profile,
    "dcterms:title": title,
    "dcterms:issued": { "@value": issuedAt.toISOString(), "@type": "http://www.w3.org/2001/XMLSchema#dateTime" },
    ...(replaces !== null && { "dcterms:replaces": { "@id": replaces } }),
    ...(replacedBy !== null && { "dcterms:isReplacedBy": { "@id": replacedBy } }),
    // A full refund ends the license.
    ...(grant.isRefunded && { prohibition: [{ ...rule, action: "odrl:use" }] }),
    ...(!grant.isRefunded && permission.length > 0 && { permission }),
    ...(!grant.isRefunded && prohibition.length > 0 && { prohibition }),
  };
}

const hasClause = ({ clauses }: Grant, name: ClauseName): boolean =>
  clauses?.some((each) => each.name === name) ?? false;

const says = ({ clauses }: Grant, name: ClauseName): boolean =>
  clauses?.find((each) => each.name === name)?.value === true;

function dateConstraints(grant: Grant) {
  const lastDay = lastDayOf(grant);
  const day = { "@value": lastDay, "@type": "http://www.w3.org/2001/XMLSchema#date" };
  return lastDay === null ? [] : [constraint("odrl:dateTime", "odrl:lteq", day)];
}

function placeConstraints({ clauses }: Grant) {
  const countries = clauses?.find(({ name }) => name === "territory")?.value;
  return Array.isArray(countries) ? [constraint("odrl:spatial", "odrl:isAnyOf", countries)] : [];
}
